import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly, type Template } from '../../local/assembly.ts';
import { runApp } from '../../test/support/run-app.ts';

/** What the template of a deployment says about costs and limits. */

const templateFor = async (clients: number): Promise<Template> => {
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

type Resource = Template['Resources'][string];

const resourcesOf = ({ Resources }: Template, type: string) =>
  Object.entries(Resources).filter(([, resource]) => resource.Type === type);

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

const isQuery = (alarm: [string, Resource]) =>
  entriesOf(alarm[1].Properties, 'Metrics').some((metric) => /^SELECT /.test(Object(metric).Expression));

/** An alarm has a price for each metric that it watches. A query that finds no metric costs as much as one metric. */
const countAlarmMetrics = ([, { Properties }]: [string, Resource]) => {
  const metrics = entriesOf(Properties, 'Metrics').filter((metric) => Object(metric).MetricStat);
  return Math.max(1, metrics.length);
};

/** A metric filter with the client as dimension makes a metric for each client. */
const isByClient = ([, { Properties }]: [string, Resource]) =>
  JSON.stringify(Properties).includes('"Value":"$.client"');

const entriesOf = (properties: Resource['Properties'], list: string): unknown[] => {
  const entries = properties?.[list];
  return Array.isArray(entries) ? entries : [];
};

/** Contributor Insights has a rule for the partition key, and one for both keys of a table with a sort key. */
const countInsightRules = ([, { Properties }]: [string, Resource]) => {
  const replicas = entriesOf(Properties, 'Replicas');
  const isOn = replicas.some((replica) => Object(replica).ContributorInsightsSpecification?.Enabled === true);
  return isOn ? entriesOf(Properties, 'KeySchema').length : 0;
};

/** Everything that costs money each month without any request. */
const standingOf = (template: Template) => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
  const filters = resourcesOf(template, 'AWS::Logs::MetricFilter');
  return {
    secrets: resourcesOf(template, 'AWS::SecretsManager::Secret').length,
    alarms: sumOf(alarms.map(countAlarmMetrics)),
    queryAlarms: alarms.filter(isQuery).length,
    insightRules: sumOf(resourcesOf(template, 'AWS::DynamoDB::GlobalTable').map(countInsightRules)),
    clientFilters: filters.filter(isByClient).length,
    otherFilters: filters.filter((filter) => !isByClient(filter)).length,
  };
};
export type Standing = ReturnType<typeof standingOf>;

const propertyOf = (template: Template, type: string, property: string) => {
  const values = resourcesOf(template, type).map(([, { Properties }]) => Properties?.[property]);
  const value = values.find((found) => found !== undefined);
  if (value === undefined) throw new Error(`The template has no ${type} with ${property}.`);
  return value;
};

/** Reads the templates of a deployment with one client and of a full one. */
export const readDeployment = async (fullClients: number) => {
  const [one, full] = [await templateFor(1), await templateFor(fullClients)];
  const stages = propertyOf(full, 'AWS::ApiGateway::Stage', 'MethodSettings');
  const [methods] = Array.isArray(stages) ? stages : [];
  return {
    standing: { one: standingOf(one), full: standingOf(full) },
    /** All functions have the same memory. */
    memoryMb: Number(propertyOf(full, 'AWS::Lambda::Function', 'MemorySize')),
    ratePerSecond: Number(Object(methods).ThrottlingRateLimit),
    burst: Number(Object(methods).ThrottlingBurstLimit),
    /** Each method has its own throttle. */
    methods: resourcesOf(full, 'AWS::ApiGateway::Method').length,
    /** Only snapshots can be in this class. */
    areSnapshotsInfrequent: resourcesOf(full, 'AWS::DynamoDB::GlobalTable')
      .flatMap(([, { Properties }]) => entriesOf(Properties, 'Replicas'))
      .some((replica) => Object(replica).TableClass === 'STANDARD_INFREQUENT_ACCESS'),
    logRetentionDays: Number(propertyOf(full, 'AWS::Logs::LogGroup', 'RetentionInDays')),
  };
};
export type Deployment = Awaited<ReturnType<typeof readDeployment>>;
