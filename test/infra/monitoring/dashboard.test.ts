import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { projectFolder } from '../../support/run-app.ts';
import { type Deployment, sample } from '../deployment.ts';
import { alarmsIn, sectionOf } from './alarm-state.ts';
import { fieldsOf, passFilters } from './log-query.ts';

const deployment = sample('everything');
const withoutDashboard = sample('default');

describe('the dashboard', () => {
  type Graph = { title: string; alarms?: string[]; metrics?: unknown[]; annotations?: unknown };
  const { ref, properties } = deployment.only<{ DashboardBody: string }>('AWS::CloudWatch::Dashboard');
  const { widgets }: { widgets: { properties: Graph }[] } = JSON.parse(properties.DashboardBody);
  const titled = (title: string) =>
    onlyMatch(widgets, (widget) => widget.properties.title === title).properties;

  it('exists only with the setting, and has an output with its address', () => {
    expect(withoutDashboard.resources('AWS::CloudWatch::Dashboard')).toEqual([]);
    expect(deployment.outputs['DashboardUrl']).toBe(
      `https://console.aws.amazon.com/cloudwatch/home?region=eu-central-1#dashboards/dashboard/${ref}`,
    );
  });

  it('shows the state of every alarm, and a graph with the name of each section of the runbook', () => {
    const alarms = alarmsIn(deployment);
    expect(titled('Alarms').alarms?.toSorted()).toEqual(alarms.map(({ arn }) => arn).toSorted());
    const titles = ['Alarms', ...alarms.map(({ properties }) => sectionOf(properties))];
    expect(new Set(widgets.map((widget) => widget.properties.title))).toEqual(new Set(titles));
  });

  it('shows what the alarms watch over their own periods, with the values at which they start', () => {
    expect(titled('wrong-credentials')).toMatchObject({
      metrics: [
        [{ expression: 'FILL(counted, 0)', label: 'WrongCredentials', period: 900 }],
        ['Warehouse', 'WrongCredentials', { period: 900, stat: 'Sum', visible: false }],
        ['Warehouse', 'WrongCredentials', { period: 3_600, stat: 'Sum' }],
      ],
      annotations: { horizontal: [{ value: 1 }, { value: 7 }] },
    });
    expect(JSON.parse(properties.DashboardBody)).toMatchObject({ periodOverride: 'inherit' });
  });
});

type Stage = { AccessLogSetting: { DestinationArn: string; Format: string } };
const accessLog = deployment.only<Stage>('AWS::ApiGateway::Stage').properties.AccessLogSetting;

describe('the saved queries', () => {
  type SavedQuery = { Name: string; LogGroupNames: string[]; QueryString: string };
  const queriesOf = ({ resources }: Deployment) =>
    resources<SavedQuery>('AWS::Logs::QueryDefinition').map(({ properties }) => properties);
  const namesOf = (own: Deployment) => queriesOf(own).map(({ Name }) => Name);

  it('do not need the dashboard, and are in a folder with the name of the stack', () => {
    expect(namesOf(withoutDashboard)).toContain('WarehouseControl/Wrong credentials');
    expect(namesOf(deployment)).toEqual(
      namesOf(withoutDashboard).map((name) => name.replace('WarehouseControl/', 'Warehouse/')),
    );
  });

  const codes = ['request-served', 'request-refused', 'storage-unavailable', 'credentials-refused'];
  const ofAuthorizer = ['client-locked', 'client-removed', 'client-damaged', 'previous-password-used'];
  const statuses = ['200', '400', '401', '404', '413', '415', '429', '500', '503', '504'];
  const lines = [
    ...[...codes, ...ofAuthorizer].map((code) => ({ code })),
    ...statuses.map((status) => ({ status })),
  ];

  it.each<[string, string[]]>([
    ['Who sends what', ['request-served']],
    ['Clients at their limits', ['429']],
    ['Responses by status', [...codes, ...ofAuthorizer, ...statuses]],
    ['Refused bodies', ['400', '413', '415']],
    ['Wrong credentials', ['credentials-refused']],
    ['Previous passwords in use', ['previous-password-used']],
    ['Locked and removed clients', ['client-locked', 'client-removed']],
  ])('%s counts the log lines with %j, and no others', (name, counted) => {
    const own = onlyMatch(queriesOf(deployment), ({ Name }) => Name === `Warehouse/${name}`);
    const kept = passFilters<{ code?: string; status?: string }>(own.QueryString, lines);
    expect(kept.map(({ code, status }) => code ?? status)).toEqual(counted);
  });

  it('read only logs of the stack and fields of the access log, and sort by what they count', () => {
    const groups = deployment.resources('AWS::Logs::LogGroup').map(({ ref }) => ref);
    const logged = Object.keys(JSON.parse(accessLog.Format));
    for (const { LogGroupNames, QueryString } of queriesOf(deployment)) {
      expect(groups).toEqual(expect.arrayContaining(LogGroupNames));
      const [, sorted] = /\| sort (\w+) desc$/m.exec(QueryString) ?? [];
      expect(QueryString).toContain(` as ${sorted}`);
      if (!LogGroupNames.some((name) => accessLog.DestinationArn.endsWith(name))) continue;
      expect(logged).toEqual(expect.arrayContaining(fieldsOf(QueryString)));
    }
  });

  it('find each refusal of a client and each previous password by a code that the functions log', () => {
    const texts = queriesOf(deployment).map(({ QueryString }) => QueryString);
    const codes = texts.flatMap((text) => text.match(/"[a-z]+(-[a-z]+)+"/g) ?? []);
    const refusals = ['client-locked', 'client-removed', 'credentials-refused'];
    const expected = [...refusals, 'previous-password-used', 'request-served'];
    expect(codes.toSorted()).toEqual(expected.map((code) => `"${code}"`));
    const sources = globSync('functions/**/*.ts', { cwd: projectFolder })
      .map((file) => readFileSync(join(projectFolder, file), 'utf8'))
      .join();
    expect(expected.filter((code) => !sources.includes(`('${code}'`))).toEqual([]);
  });
});

const hasClient = '($.client != "-")';
const isBatch = '($.operation = "POST /rest/warehouse-control/material-stock-balance")';
const isRefused = '(($.status = "400") || ($.status = "413") || ($.status = "415"))';
const byClient = [{ Key: 'client', Value: '$.client' }];

it.each([
  ['RefusedBatches', byClient, `{ ${isBatch} && ${isRefused} && ($.batchesAwaited = "true") }`],
  ['LimitedRequests', byClient, `{ ($.status = "429") && ${hasClient} }`],
  ['ClientRequests', undefined, `{ ${hasClient.slice(1, -1)} }`],
  ['TooManyRequests', undefined, '{ ($.status = "429") && ($.client = "-") }'],
])('counts %s from the lines of the access log', (metric, dimensions, pattern) => {
  type Transformation = { MetricName: string; Dimensions?: unknown };
  type Filter = { LogGroupName: string; FilterPattern: string; MetricTransformations: Transformation[] };
  const filters = deployment.resources<Filter>('AWS::Logs::MetricFilter').map(({ properties }) => properties);
  const filter = onlyMatch(filters, ({ MetricTransformations: [made] }) => made?.MetricName === metric);
  expect(accessLog.DestinationArn).toContain(`log-group:${filter.LogGroupName}`);
  expect(filter.FilterPattern).toBe(pattern);
  expect(JSON.parse(accessLog.Format)).toMatchObject({
    client: '$context.authorizer.client',
    batchesAwaited: '$context.authorizer.batchesAwaited',
    operation: '$context.httpMethod $context.resourcePath',
    status: '$context.status',
  });
  expect(filter.MetricTransformations).toMatchObject([{ MetricNamespace: 'Warehouse', MetricValue: '1' }]);
  expect(filter.MetricTransformations[0]?.Dimensions).toEqual(dimensions);
});

it('requests of clients are counted only with the setting that needs them, because a metric costs money', () => {
  type Filter = { MetricTransformations: { MetricName: string }[] };
  const filters = sample('default').resources<Filter>('AWS::Logs::MetricFilter');
  const counted = filters.flatMap(({ properties }) => properties.MetricTransformations);
  expect(counted.map(({ MetricName }) => MetricName)).not.toContain('ClientRequests');
});
