import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../shared/schemas/json.ts';

/** What an emulator needs. */
export type Adaptation = {
  endpoint: string;
  /** The emulator gives a secret another name than AWS does, and gives this name for its Ref. */
  namesSecrets: boolean;
  /** The logical ids of resources that the emulator refuses. */
  refused: string[];
};

/** The environment variable with the adaptation, in JSON. */
export const ADAPTATION = 'WAREHOUSE_ADAPTATION';

type Template = {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown>; DependsOn?: string[] }>;
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

/** Removes a resource, and the resources and outputs that refer to it. */
const removeResource = ({ Resources, Outputs }: Template, id: string) => {
  if (ESSENTIAL.test(Resources[id]?.Type ?? '')) throw new Error(`The service needs ${id}.`);
  delete Resources[id];
  const refers = (value: unknown) => JSON.stringify(value ?? {}).includes(`"${id}"`);
  for (const [name, output] of Object.entries(Outputs)) if (refers(output)) delete Outputs[name];
  for (const [other, resource] of Object.entries(Resources)) {
    if (refers(resource.Properties)) removeResource({ Resources, Outputs }, other);
    else if (resource.DependsOn) resource.DependsOn = resource.DependsOn.filter((name) => name !== id);
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
