import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../shared/schemas/json.ts';
import { NO_VALIDATION } from '../support/run-app.ts';

type Resource = { Type: string; Properties?: Record<string, unknown>; DependsOn?: string | string[] };
type Template = { Resources: Record<string, Resource>; Outputs: Record<string, { Value: unknown }> };

/** MiniStack knows no stored queries, and no alarm that computes with metrics. */
const isUnknown = ({ Type, Properties = {} }: Resource) =>
  Type === 'AWS::Logs::QueryDefinition' || (Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in Properties);

const adapt = ({ Resources, Outputs, ...others }: Template) => {
  const known = Object.entries(Resources).filter(([, resource]) => !isUnknown(resource));
  const resources = Object.fromEntries(known.map(([id, resource]) => [id, adaptResource(id, resource)]));
  const api = Object.keys(resources).find((id) => resources[id]?.Type === 'AWS::ApiGateway::RestApi');
  const prefix = `${process.env['AWS_ENDPOINT_URL']}/restapis/`;
  const BaseUrl = { Value: { 'Fn::Join': ['', [prefix, { Ref: api }, '/live/_user_request_']] } };
  const template = { ...others, Resources: resources, Outputs: { ...Outputs, BaseUrl } };
  return replaceSecretRefs(template, Resources);
};

const adaptResource = (id: string, { Properties, ...resource }: Resource): Resource => {
  const changes: Record<string, object> = {
    // MiniStack reads keys from a header alone, and takes none from the authorizer.
    'AWS::ApiGateway::Method': { ApiKeyRequired: false },
    // AWS names a secret by its logical id and 12 characters.
    'AWS::SecretsManager::Secret': { Name: `${id}-AbCdEfGhIjKl` },
  };
  return { ...resource, Properties: { ...Properties, ...changes[resource.Type] } };
};

/** MiniStack gives a secret's name for its Ref. The attribute Id is the ARN, as is Ref on AWS. */
const replaceSecretRefs = (value: unknown, resources: Template['Resources']): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceSecretRefs(item, resources));
  if (!isRecord(value)) return value;
  const { Ref } = value;
  if (typeof Ref === 'string' && resources[Ref]?.Type === 'AWS::SecretsManager::Secret')
    return { 'Fn::GetAtt': [Ref, 'Id'] };
  const entries = Object.entries(value).map(([name, inner]) => [name, replaceSecretRefs(inner, resources)]);
  return Object.fromEntries(entries);
};

// Runs the app as the CDK does, and adapts its template before the CDK reads it.
execFileSync(process.execPath, ['infra/app.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...NO_VALIDATION },
});
const [file = ''] = globSync(join(process.env['CDK_OUTDIR'] ?? '', '*.template.json'));
writeFileSync(file, JSON.stringify(adapt(JSON.parse(readFileSync(file, 'utf8')))));
