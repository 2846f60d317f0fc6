import type { Template } from '../../local/assembly.ts';
import { LocalStack } from '../../local/stack.ts';
import { type TableName, tableDefinition } from '../../shared/tables.ts';
import { onlyMatch } from '../support/assembly.ts';
import { sampleSettings } from './sample-settings.ts';
import { templateOf } from './template.ts';

/** A resource as CloudFormation would deploy it, with every reference replaced by its target. */
type Resource<Properties> = {
  id: string;
  ref: string;
  arn: string;
  properties: Properties;
  dependsOn: string[];
  deletionPolicy: DeletionPolicy | undefined;
  updateReplacePolicy: DeletionPolicy | undefined;
};

type DeletionPolicy = 'Delete' | 'Retain' | 'RetainExceptOnCreate';

const STACK_UUID = '51af3dc0-da77-11e4-872e-1234567db123';

/** The local run knows only the references that it needs. */
class WholeStack extends LocalStack {
  override ref(id: string) {
    return id === 'AWS::StackId' ? `arn:aws:cloudformation:stack/Stack/${STACK_UUID}` : super.ref(id);
  }

  override attribute(id: string, name: string) {
    try {
      return super.attribute(id, name);
    } catch {
      return `${id}.${name}`;
    }
  }
}

/** The stack of these settings, read as CloudFormation would deploy it. */
export const deploymentOf = (settings: unknown = {}) => deployed(templateOf(settings));

/** The stacks that most tests share. */
export const sample = (name: keyof typeof sampleSettings) => deploymentOf(sampleSettings[name]);

export const deployed = (template: Record<string, unknown>) => {
  const { Resources } = template as TemplateJson;
  const stack = new WholeStack('Stack', template as Template);
  const resources = <Properties>(wanted: string): Resource<Properties>[] =>
    stack.ofType(wanted).map(({ id, properties }) => {
      const { DependsOn = [], DeletionPolicy, UpdateReplacePolicy } = Resources[id] ?? {};
      return {
        id,
        ref: stack.ref(id),
        arn: stack.arnOf(id),
        properties: properties as Properties,
        dependsOn: [DependsOn].flat(),
        deletionPolicy: DeletionPolicy,
        updateReplacePolicy: UpdateReplacePolicy,
      };
    });
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
  return { template, resources, only, tableWithKeysOf, outputs: stack.outputs };
};
export type Deployment = ReturnType<typeof deployed>;

type TableKeys = { KeySchema: { AttributeName: string }[] };
const keyNamesOf = ({ properties }: Resource<TableKeys>) =>
  properties.KeySchema.map(({ AttributeName }) => AttributeName).join();

type TemplateJson = {
  Resources: Record<
    string,
    {
      DependsOn?: string | string[];
      DeletionPolicy?: DeletionPolicy;
      UpdateReplacePolicy?: DeletionPolicy;
    }
  >;
};
