import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_VALIDATION } from '../support/run-app.ts';

type Resource = { Type: string; Properties?: Record<string, unknown>; DependsOn?: string | string[] };
type Template = { Resources: Record<string, Resource>; Outputs: Record<string, { Value: unknown }> };

/** MiniStack knows no stored queries, and no alarm that computes with metrics. */
const isUnknown = ({ Type, Properties = {} }: Resource) =>
  Type === 'AWS::Logs::QueryDefinition' || (Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in Properties);

const adapt = ({ Resources, Outputs, ...others }: Template) => {
  const known = Object.entries(Resources).filter(([, resource]) => !isUnknown(resource));
  const resources = Object.fromEntries(known.map(([id, resource]) => [id, adaptResource(resource)]));
  const api = Object.keys(resources).find((id) => resources[id]?.Type === 'AWS::ApiGateway::RestApi');
  const prefix = `${process.env['AWS_ENDPOINT_URL']}/restapis/`;
  const BaseUrl = { Value: { 'Fn::Join': ['', [prefix, { Ref: api }, '/live/_user_request_']] } };
  return { ...others, Resources: resources, Outputs: { ...Outputs, BaseUrl } };
};

/** MiniStack reads keys from a header alone, and takes none from the authorizer. */
const adaptResource = ({ Properties, ...resource }: Resource): Resource => ({
  ...resource,
  Properties: {
    ...Properties,
    ...(resource.Type === 'AWS::ApiGateway::Method' ? { ApiKeyRequired: false } : {}),
  },
});

// Runs the app as the CDK does, and adapts its template before the CDK reads it.
execFileSync(process.execPath, ['infra/app.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...NO_VALIDATION },
});
const [file = ''] = globSync(join(process.env['CDK_OUTDIR'] ?? '', '*.template.json'));
writeFileSync(file, JSON.stringify(adapt(JSON.parse(readFileSync(file, 'utf8')))));
