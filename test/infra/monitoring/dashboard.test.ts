import { describe, expect, it } from 'vitest';
import { priceList } from '../../../infra/monitoring/price-list.ts';
import { tableNames } from '../../../shared/tables.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { deploymentOf } from '../deployment.ts';
import { functionNames, functionsOf } from '../gateway.ts';

type Metric = [...(string | Record<string, unknown>)[]];
type Widget = {
  properties: {
    markdown?: string;
    title?: string;
    alarms?: string[];
    metrics?: Metric[];
    annotations?: { horizontal: { value: number }[] };
  };
};

const deployment = deploymentOf({ stackName: 'Warehouse-North', clients: ['wms', 'erp'] });
const functions = functionsOf(deployment);
const { DashboardBody } = deployment.only<{ DashboardBody: string }>('AWS::CloudWatch::Dashboard').properties;
const { widgets }: { widgets: Widget[] } = JSON.parse(DashboardBody);

const titled = (title: string) =>
  onlyMatch(widgets, ({ properties }) => properties.title === title).properties;
const searches = (title: string) =>
  (titled(title).metrics ?? []).map(([query]) => (typeof query === 'object' ? query['expression'] : query));

describe('the dashboard', () => {
  it('has an output with its address', () => {
    const { ref } = deployment.only('AWS::CloudWatch::Dashboard');
    expect(deployment.outputs['DashboardUrl']).toBe(
      `https://console.aws.amazon.com/cloudwatch/home?region=ap-southeast-2#dashboards/dashboard/${ref}`,
    );
  });

  it('shows the state of every alarm', () => {
    const alarms = deployment.resources('AWS::CloudWatch::Alarm').map(({ arn }) => arn);
    expect(titled('Alarms').alarms?.toSorted()).toEqual(alarms.toSorted());
  });

  it.each([
    ['Batches kept', 'Snapshots', 'client'],
    ['Entries in them', 'Entries', 'client'],
    ['Changes reported', 'Changes', 'client'],
    ['Refused bodies', 'RefusedRequests', 'client,operation'],
    ['Answers by status', 'ErrorAnswers', 'status'],
  ])('shows under %s every value that %s is counted by', (title, metric, dimensions) => {
    expect(searches(title)).toEqual([
      `SEARCH('{"Warehouse-North",${dimensions}} MetricName="${metric}"', 'Sum', 900)`,
    ]);
  });

  it.each(functionNames)('shows how long %s takes, against its time limit', (name) => {
    const { metrics, annotations } = titled(`${name}, ms`);
    expect(metrics?.map(([, metric, , value]) => [metric, value])).toEqual(
      Array(3).fill(['Duration', functions[name].ref]),
    );
    const its = functions[name].properties.Timeout * 1_000;
    expect(annotations?.horizontal).toMatchObject([{ value: its, yAxis: 'right' }]);
  });

  it('shows sums of a day, whatever range is chosen', () => {
    expect(JSON.parse(DashboardBody)).toMatchObject({ periodOverride: 'inherit' });
    for (const title of ['Dollars a day', 'Units of the tables a day']) {
      expect(titled(title)).toMatchObject({ start: '-P14D' });
    }
  });

  it('has no metric of the whole account', () => {
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    const plain = metrics.filter(([namespace]) => typeof namespace === 'string');
    expect(plain.length).toBeGreaterThan(50);
    for (const [namespace, name, ...rest] of plain) {
      const dimensions = rest.filter((part) => typeof part === 'string');
      const ofOurs = namespace === 'Warehouse-North' && name === 'WrongCredentials';
      expect(dimensions.length, `${namespace} ${name}`).toBeGreaterThanOrEqual(ofOurs ? 0 : 2);
    }
  });
});

type Filter = {
  LogGroupName: string;
  FilterPattern: string;
  MetricTransformations: { MetricName: string }[];
};

const accessLog = deployment.only<{ AccessLogSetting: { DestinationArn: string } }>('AWS::ApiGateway::Stage')
  .properties.AccessLogSetting;

it.each([
  {
    metric: 'RefusedBatches',
    dimension: 'client',
    pattern:
      '{ ($.operation = "POST /rest/warehouse-control/material-stock-balance") && (($.status = "400") || ($.status = "413") || ($.status = "415")) && ($.client != "-") }',
  },
  {
    metric: 'ErrorAnswers',
    dimension: 'status',
    pattern: '{ ($.status = "4*") || ($.status = "5*") }',
  },
])('counts $metric by $dimension from the lines of the access log', ({ metric, dimension, pattern }) => {
  const filters = deployment.resources<Filter>('AWS::Logs::MetricFilter').map(({ properties }) => properties);
  const filter = onlyMatch(filters, ({ MetricTransformations: [made] }) => made?.MetricName === metric);
  expect(accessLog.DestinationArn).toContain(`log-group:${filter.LogGroupName}`);
  expect(filter.FilterPattern).toBe(pattern);
  expect(filter.MetricTransformations).toEqual([
    {
      MetricNamespace: 'Warehouse-North',
      MetricName: metric,
      MetricValue: '1',
      Dimensions: [{ Key: dimension, Value: `$.${dimension}` }],
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
    ['Tables', MILLION, tableNames.length * (0.7625 + 0.1525)],
    // A million calls of a millisecond each, of every function.
    ['Functions', MILLION, functionNames.length * 0.2 + (memory / 1_024) * 1_000 * 0.0000133334],
    // Of each function, and the access log.
    ['Logs', GB, (functionNames.length + 1) * 0.63],
  ])('of %s for %i units are those of the price list', (label, units, dollars) => {
    expect(worth(label, units)).toBeCloseTo(dollars, 4);
  });

  it('name the price list, its region and its date', () => {
    const words = `List prices of ${priceList.region} of ${priceList.date}, in USD.`;
    expect(widgets.filter(({ properties }) => properties.markdown?.includes(words))).toHaveLength(1);
  });
});
