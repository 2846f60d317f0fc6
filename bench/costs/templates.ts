import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly, type Template } from '../../local/assembly.ts';
import { runApp } from '../../test/support/run-app.ts';

type Resource = Template['Resources'][string];

/** The template of a deployment with so many clients. */
export const templateFor = async (clients: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-costs-'));
  try {
    const names = Array.from({ length: clients }, (_, index) => `warehouse-${index + 1}`);
    const { exitCode, stderr } = await runApp({ outdir: folder, settings: { clients: names } });
    if (exitCode !== 0) throw new Error(stderr);
    return readAssembly(folder).template;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const ofType = ({ Resources }: Template, type: string) =>
  Object.entries(Resources).filter(([, resource]) => resource.Type === type);

/** An alarm costs by the metrics that it looks at. */
const alarmMetrics = ({ Properties = {} }: Resource) => {
  const { Metrics } = Properties;
  if (!Array.isArray(Metrics)) return 1;
  return Metrics.filter((metric) => typeof metric === 'object' && metric !== null && 'MetricStat' in metric)
    .length;
};

/** A filter of a log makes a metric of each value of its field. */
const filtersBy = (template: Template, field: string) =>
  ofType(template, 'AWS::Logs::MetricFilter').filter(([, filter]) =>
    JSON.stringify(filter.Properties?.['MetricTransformations']).includes(`"Value":"$.${field}"`),
  ).length;

/** What a deployment pays for by the month, as its template has it. */
export const standingOf = (template: Template) => ({
  alarms: ofType(template, 'AWS::CloudWatch::Alarm').reduce((sum, [, alarm]) => sum + alarmMetrics(alarm), 0),
  dashboards: ofType(template, 'AWS::CloudWatch::Dashboard').length,
  clientFilters: filtersBy(template, 'client'),
  statusFilters: filtersBy(template, 'status'),
  secrets: ofType(template, 'AWS::SecretsManager::Secret').length,
});

/** Of the function whose logical id begins so. */
export const memoryOf = (template: Template, idPrefix: string) => {
  const found = ofType(template, 'AWS::Lambda::Function').find(([id]) => id.startsWith(idPrefix));
  if (!found) throw new Error(`The template has no function ${idPrefix}.`);
  return Number(found[1].Properties?.['MemorySize']);
};

const only = (template: Template, type: string, property: string) => {
  const [found] = ofType(template, type);
  const value = found?.[1].Properties?.[property];
  if (value === undefined) throw new Error(`The template has no ${type} with ${property}.`);
  return value;
};

/** What of a deployment's settings bears on the costs, as they come out when nothing is set. */
export const settingsOf = (template: Template) => {
  const stage = only(template, 'AWS::ApiGateway::Stage', 'MethodSettings');
  const [methods] = Array.isArray(stage) ? stage : [];
  return {
    ratePerSecond: Number(Object(methods).ThrottlingRateLimit),
    burst: Number(Object(methods).ThrottlingBurstLimit),
    logRetentionDays: Number(only(template, 'AWS::Logs::LogGroup', 'RetentionInDays')),
    authorizerCacheSeconds: Number(
      only(template, 'AWS::ApiGateway::Authorizer', 'AuthorizerResultTtlInSeconds'),
    ),
  };
};
