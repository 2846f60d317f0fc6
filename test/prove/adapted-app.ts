import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../shared/schemas/json.ts';

/** What an emulator needs. */
export type Adaptation = {
  endpoint: string;
  /** The emulator gives a secret another name than AWS does, and gives this name for its Ref. */
  namesSecrets: boolean;
  /** The logical ids of resources that the emulator refuses, and of what refers to them. */
  refused: string[];
};

/** The environment variable with the adaptation, in JSON. */
export const ADAPTATION = 'WAREHOUSE_ADAPTATION';

export type Template = {
  Resources: Record<
    string,
    { Type: string; Properties?: Record<string, unknown>; DependsOn?: string | string[] }
  >;
  Outputs: Record<string, { Value: unknown }>;
};

const adapt = (template: Template, { endpoint, namesSecrets, refused }: Adaptation) => {
  const { Resources, Outputs } = template;
  const [api = ''] = Object.keys(Resources).filter(
    (id) => Resources[id]?.Type === 'AWS::ApiGateway::RestApi',
  );
  Object.assign(Outputs['BaseUrl'] ?? {}, {
    Value: { 'Fn::Join': ['', [`${endpoint}/restapis/`, { Ref: api }, '/live/_user_request_']] },
  });
  for (const { Type, Properties } of Object.values(Resources)) {
    // MiniStack reads keys from a header alone.
    if (Type === 'AWS::ApiGateway::Method') delete Properties?.['ApiKeyRequired'];
  }
  if (namesSecrets) nameSecrets(Resources);
  for (const id of refused) removeResource(template, id);
  return namesSecrets ? replaceSecretRefs(template, Resources) : template;
};

const isSecret = (resources: Template['Resources'], id: unknown) =>
  typeof id === 'string' && resources[id]?.Type === 'AWS::SecretsManager::Secret';

/** AWS names a secret by its logical id and 12 characters. */
const nameSecrets = (resources: Template['Resources']) => {
  for (const [id, resource] of Object.entries(resources)) {
    if (isSecret(resources, id)) Object.assign(resource.Properties ?? {}, { Name: `${id}-AbCdEfGhIjKl` });
  }
};

/** The attribute Id is the ARN, as is Ref on AWS. */
const replaceSecretRefs = (value: unknown, resources: Template['Resources']): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceSecretRefs(item, resources));
  if (!isRecord(value)) return value;
  if (isSecret(resources, value['Ref'])) return { 'Fn::GetAtt': [value['Ref'], 'Id'] };
  const entries = Object.entries(value).map(([name, inner]) => [name, replaceSecretRefs(inner, resources)]);
  return Object.fromEntries(entries);
};

const ESSENTIAL = /^AWS::(ApiGateway|DynamoDB|IAM|Lambda|SecretsManager)::/;

const refersTo = (value: unknown, id: string) => JSON.stringify(value ?? {}).includes(`"${id}"`);

/** These resources, those that refer to them, and so on. */
export const withDependents = (resources: Template['Resources'], ids: readonly string[]) => {
  const all = new Set(ids);
  // The loop also visits what it adds.
  for (const id of all) {
    if (ESSENTIAL.test(resources[id]?.Type ?? '')) throw new Error(`The service needs ${id}.`);
    for (const [other, { Properties }] of Object.entries(resources)) {
      if (refersTo(Properties, id)) all.add(other);
    }
  }
  return [...all];
};

const removeResource = ({ Resources, Outputs }: Template, id: string) => {
  delete Resources[id];
  for (const [name, output] of Object.entries(Outputs)) if (refersTo(output, id)) delete Outputs[name];
  for (const resource of Object.values(Resources)) {
    if (resource.DependsOn) resource.DependsOn = [resource.DependsOn].flat().filter((name) => name !== id);
  }
};

/** Runs the app as the CDK does, and adapts its template before the CDK reads it. */
const synthesize = () => {
  execFileSync(process.execPath, ['infra/app.ts'], { stdio: 'inherit' });
  const [file = ''] = globSync(join(process.env['CDK_OUTDIR'] ?? '', '*.template.json'));
  const adaptation: Adaptation = JSON.parse(process.env[ADAPTATION] ?? '{}');
  writeFileSync(file, JSON.stringify(adapt(JSON.parse(readFileSync(file, 'utf8')), adaptation)));
};

if (import.meta.main) synthesize();
