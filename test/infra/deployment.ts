import { isRecord } from '../../shared/schemas/json.ts';
import { type TableName, tableDefinition } from '../../shared/tables.ts';
import { onlyMatch } from '../support/assembly.ts';
import { sampleSettings } from './sample-settings.ts';
import { templateOf } from './template.ts';

/** A resource as CloudFormation would deploy it, with every reference replaced by its target. */
export type Resource<Properties> = {
  id: string;
  ref: string;
  arn: string;
  properties: Properties;
  dependsOn: string[];
  deletionPolicy: DeletionPolicy | undefined;
  updateReplacePolicy: DeletionPolicy | undefined;
};

type DeletionPolicy = 'Delete' | 'Retain' | 'RetainExceptOnCreate';

/** The stack of these settings, read as CloudFormation would deploy it. */
export const deploymentOf = (settings: unknown = {}) => deployed(templateOf(settings));

/** The stacks that most tests share. */
export const sample = (name: keyof typeof sampleSettings) => deploymentOf(sampleSettings[name]);

export const deployed = (template: Record<string, unknown>) => {
  const { Resources, Outputs = {} } = template as TemplateJson;
  const resolve = resolver(Resources);
  const resources = <Properties>(type: string): Resource<Properties>[] =>
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties, DependsOn = [], DeletionPolicy, UpdateReplacePolicy }]) => ({
        id,
        ref: String(resolve({ Ref: id })),
        arn: String(resolve({ 'Fn::GetAtt': [id, 'Arn'] })),
        properties: resolve(Properties) as Properties,
        dependsOn: [DependsOn].flat(),
        deletionPolicy: DeletionPolicy,
        updateReplacePolicy: UpdateReplacePolicy,
      }));
  const only = <Properties>(type: string) => onlyMatch(resources<Properties>(type), () => true, type);
  const tableWithKeysOf = (name: TableName) => {
    const { partitionKey, sortKey } = tableDefinition(name);
    const keys = [partitionKey, sortKey ?? []].flat().join();
    return onlyMatch(
      resources<TableKeys>('AWS::DynamoDB::GlobalTable'),
      (table) => keyNamesOf(table) === keys,
      name,
    );
  };
  const outputs = Object.fromEntries(
    Object.entries(Outputs).map(([name, { Value }]) => [name, resolve(Value)]),
  );
  return { template, resources, only, tableWithKeysOf, outputs };
};

type TableKeys = { KeySchema: { AttributeName: string }[] };
const keyNamesOf = ({ properties }: Resource<TableKeys>) =>
  properties.KeySchema.map(({ AttributeName }) => AttributeName).join();

export type Deployment = ReturnType<typeof deploymentOf>;

type TemplateJson = {
  Resources: Record<
    string,
    {
      Type: string;
      Properties: unknown;
      DependsOn?: string | string[];
      DeletionPolicy?: DeletionPolicy;
      UpdateReplacePolicy?: DeletionPolicy;
    }
  >;
  Outputs?: Record<string, { Value: unknown }>;
};

/** Generated names have the length of real ones. */
const REGION = 'ap-southeast-2';
const ACCOUNT = '123456789012';
const pseudoParameters: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/Stack/51af3dc0-da77-11e4-872e-1234567db123`,
};

const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

const names: Record<string, (id: string) => { Ref: string; Arn?: string }> = {
  'AWS::DynamoDB::GlobalTable': (id) => ({
    Ref: `Stack-${id}-1ABCDEFGHIJ2K`,
    Arn: arn('dynamodb', `table/Stack-${id}-1ABCDEFGHIJ2K`),
  }),
  'AWS::Lambda::Function': (id) => ({
    Ref: `Stack-${id}-AbCdEfGhIjKl`,
    Arn: arn('lambda', `function:Stack-${id}-AbCdEfGhIjKl`),
  }),
  'AWS::Logs::LogGroup': (id) => ({
    Ref: `Stack-${id}-AbCdEfGhIjKl`,
    Arn: arn('logs', `log-group:Stack-${id}-AbCdEfGhIjKl:*`),
  }),
  'AWS::SecretsManager::Secret': (id) => ({ Ref: arn('secretsmanager', `secret:${id}-AbCdEfGhIjKl-mNoPqR`) }),
};

const resolver = (resources: TemplateJson['Resources']) => {
  const attributeOf = (id: string, attribute: string) => {
    const type = resources[id]?.Type;
    if (!type) throw new Error(`The template has no resource ${id}.`);
    const named: Record<string, string | undefined> = names[type]?.(id) ?? { Ref: id };
    return named[attribute] ?? `${id}.${attribute}`;
  };
  const refTo = (name: string) => pseudoParameters[name] ?? attributeOf(name, 'Ref');

  const intrinsics: Record<string, (argument: unknown) => unknown> = {
    Ref: (argument) => refTo(String(argument)),
    'Fn::GetAtt': (argument) => attributeOf(...(argument as [string, string])),
    'Fn::Join': (argument) => {
      const [separator, parts] = argument as [string, string[]];
      return parts.join(separator);
    },
    'Fn::Split': (argument) => {
      const [separator, text] = argument as [string, string];
      return text.split(separator);
    },
    'Fn::Select': (argument) => {
      const [index, list] = argument as [number, unknown[]];
      return list[index];
    },
    'Fn::Sub': (argument) => String(argument).replaceAll(/\$\{([^}]+)\}/g, (_, name) => refTo(name)),
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    const resolved = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
    const [name = '', ...others] = Object.keys(value);
    const intrinsic = others.length === 0 ? intrinsics[name] : undefined;
    if (!intrinsic && name.startsWith('Fn::')) throw new Error(`The tests cannot resolve ${name}.`);
    return intrinsic ? intrinsic(resolved[name]) : resolved;
  };
  return resolve;
};
