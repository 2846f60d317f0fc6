import { describe, expect, it } from 'vitest';
import { priceList } from '../../../infra/monitoring/price-list.ts';
import { tableNames } from '../../../shared/tables.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type Deployment, deploymentOf } from '../deployment.ts';
import { functionNames, functionsOf } from '../gateway.ts';
import { fieldsOf } from './log-query.ts';

type Metric = [...(string | Record<string, unknown>)[]];
type Widget = {
  properties: {
    markdown?: string;
    title?: string;
    alarms?: string[];
    metrics?: Metric[];
    query?: string;
    annotations?: { horizontal: { value: number }[] };
  };
};

const deployment = deploymentOf({ stackName: 'Warehouse-North', clients: ['wms', 'erp'], dashboard: true });
const withoutDashboard = deploymentOf();
const functions = functionsOf(deployment);
const { DashboardBody } = deployment.only<{ DashboardBody: string }>('AWS::CloudWatch::Dashboard').properties;
const { widgets }: { widgets: Widget[] } = JSON.parse(DashboardBody);

const titled = (title: string) =>
  onlyMatch(widgets, ({ properties }) => properties.title === title).properties;

type SavedQuery = { Name: string; LogGroupNames: string[]; QueryString: string };
const savedQueriesOf = ({ resources }: Deployment) =>
  resources<SavedQuery>('AWS::Logs::QueryDefinition').map(({ properties }) => properties);

describe('the dashboard', () => {
  it('has an output with its address', () => {
    const { ref } = deployment.only('AWS::CloudWatch::Dashboard');
    expect(deployment.outputs['DashboardUrl']).toBe(
      `https://console.aws.amazon.com/cloudwatch/home?region=ap-southeast-2#dashboards/dashboard/${ref}`,
    );
  });

  it('exists only with the setting', () => {
    expect(withoutDashboard.resources('AWS::CloudWatch::Dashboard')).toEqual([]);
    expect(withoutDashboard.outputs).not.toHaveProperty('DashboardUrl');
  });

  it('shows the state of every alarm', () => {
    const alarms = deployment.resources('AWS::CloudWatch::Alarm').map(({ arn }) => arn);
    expect(titled('Alarms').alarms?.toSorted()).toEqual(alarms.toSorted());
  });

  it.each(savedQueriesOf(deployment))('shows the result of the saved query $Name', (saved) => {
    const { Name, LogGroupNames, QueryString } = saved;
    const sources = LogGroupNames.map((name) => `SOURCE '${name}'`).join(' | ');
    expect(titled(Name.replace('Warehouse-North/', '')).query).toBe(`${sources} | ${QueryString}`);
  });

  it.each(functionNames)('shows the duration of %s beside its timeout', (name) => {
    const { metrics, annotations } = titled(`${name}, ms`);
    expect(metrics?.map(([, metric, , value]) => [metric, value])).toEqual(
      Array(2).fill(['Duration', functions[name].ref]),
    );
    const its = functions[name].properties.Timeout * 1_000;
    expect(annotations?.horizontal).toMatchObject([{ value: its, yAxis: 'right' }]);
  });

  it('shows daily sums, whatever time range is chosen', () => {
    expect(JSON.parse(DashboardBody)).toMatchObject({ periodOverride: 'inherit' });
    expect(titled('Dollars a day')).toMatchObject({ start: '-P14D' });
  });

  it("has no metric of the whole account, and at most the 50 metrics of AWS's free tier", () => {
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    const plain = metrics.filter(([namespace]) => typeof namespace === 'string');
    expect(plain).not.toEqual([]);
    expect(plain.length).toBeLessThanOrEqual(50);
    for (const [namespace, name, ...rest] of plain) {
      const dimensions = rest.filter((part) => typeof part === 'string');
      expect(dimensions.length, `${namespace} ${name}`).toBeGreaterThanOrEqual(2);
    }
  });
});

describe('the saved queries', () => {
  it('are the same without a dashboard, under the name of the stack', () => {
    const namesOf = (own: Deployment) => savedQueriesOf(own).map(({ Name }) => Name.split('/'));
    const folders = (own: Deployment) => new Set(namesOf(own).map(([folder]) => folder));
    expect(folders(withoutDashboard)).toEqual(new Set(['WarehouseControl']));
    expect(folders(deployment)).toEqual(new Set(['Warehouse-North']));
    expect(namesOf(withoutDashboard).map(([, name]) => name)).toEqual(
      namesOf(deployment).map(([, name]) => name),
    );
  });

  it('read only logs of the stack, and only fields that the access log has', () => {
    const groups = deployment.resources('AWS::Logs::LogGroup').map(({ ref }) => ref);
    const [accessLogName = ''] = groups.filter((name) => accessLog.DestinationArn.endsWith(name));
    const queries = savedQueriesOf(deployment);
    for (const { LogGroupNames } of queries) expect(groups).toEqual(expect.arrayContaining(LogGroupNames));
    const ofAccessLog = queries.filter(({ LogGroupNames }) => LogGroupNames.includes(accessLogName));
    expect(ofAccessLog.length).toBeGreaterThan(1);
    const logged = Object.keys(JSON.parse(accessLog.Format));
    for (const { QueryString } of ofAccessLog) {
      expect(logged).toEqual(expect.arrayContaining(fieldsOf(QueryString)));
    }
  });
});

type Filter = {
  LogGroupName: string;
  FilterPattern: string;
  MetricTransformations: { MetricName: string }[];
};

const accessLog = deployment.only<{ AccessLogSetting: { DestinationArn: string; Format: string } }>(
  'AWS::ApiGateway::Stage',
).properties.AccessLogSetting;

it.each([
  {
    metric: 'RefusedBatches',
    dimension: 'client',
    pattern:
      '{ ($.operation = "POST /rest/warehouse-control/material-stock-balance") && (($.status = "400") || ($.status = "413") || ($.status = "415")) && ($.client != "-") }',
  },
  {
    metric: 'LimitedRequests',
    dimension: 'client',
    pattern: '{ ($.status = "429") && ($.client != "-") }',
  },
  {
    metric: 'TooManyRequests',
    pattern: '{ ($.status = "429") && ($.client = "-") }',
  },
])('counts $metric from the lines of the access log', ({ metric, dimension, pattern }) => {
  const filters = deployment.resources<Filter>('AWS::Logs::MetricFilter').map(({ properties }) => properties);
  const filter = onlyMatch(filters, ({ MetricTransformations: [made] }) => made?.MetricName === metric);
  expect(accessLog.DestinationArn).toContain(`log-group:${filter.LogGroupName}`);
  expect(filter.FilterPattern).toBe(pattern);
  expect(filter.MetricTransformations).toEqual([
    {
      MetricNamespace: 'Warehouse-North',
      MetricName: metric,
      MetricValue: '1',
      ...(dimension ? { Dimensions: [{ Key: dimension, Value: `$.${dimension}` }] } : {}),
    },
  ]);
});

describe('the costs on the dashboard', () => {
  const { metrics = [] } = titled('Dollars a day');

  /** The value of an expression of sums if every metric in it has this value. */
  const worth = (label: string, value: number) => {
    const queries = metrics.flatMap(([query]) => (typeof query === 'object' ? [query] : []));
    const { expression } = onlyMatch(queries, (query) => query['label'] === label);
    const [, sum = '', divisor = ''] = /^\((.+)\) \/ (\d+)$/.exec(String(expression)) ?? [];
    const factors = sum.split(' + ').map((term) => /^FILL\(\w+, 0\) \* ([0-9.]+)$/.exec(term)?.[1]);
    return (factors.reduce((total, factor) => total + Number(factor), 0) * value) / Number(divisor);
  };
  const memory = functionNames.reduce((total, name) => total + functions[name].properties.MemorySize, 0);
  const MILLION = 1_000_000;
  const GB = 1_073_741_824;

  it.each([
    ['Gateway', MILLION, 3.7],
    ['Secrets (about)', MILLION, 5],
    ['Traces (at most)', MILLION, 5],
    // The last one is BalanceSnapshots, in Standard-IA.
    ['Tables', MILLION, (tableNames.length - 1) * (0.7625 + 0.1525) + 0.955 + 0.1905],
    // A million calls of one millisecond for every function.
    ['Functions', MILLION, functionNames.length * 0.2 + (memory / 1_024) * 1_000 * 0.0000133334],
    // Of each function, and the access log.
    ['Logs', GB, (functionNames.length + 1) * 0.63],
  ])('of %s for %i units are those of the price list', (label, units, dollars) => {
    expect(worth(label, units)).toBeCloseTo(dollars, 4);
  });

  it('are shown with the region and the date of the price list', () => {
    const words = `List prices of ${priceList.region} of ${priceList.date}, in USD.`;
    expect(widgets.filter(({ properties }) => properties.markdown?.includes(words))).toHaveLength(1);
  });
});
