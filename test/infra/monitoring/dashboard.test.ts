import { describe, expect, it } from 'vitest';
import { priceList } from '../../../infra/monitoring/price-list.ts';
import { deploymentOf } from '../deployment.ts';
import { functionNames, functionsOf } from '../gateway.ts';

type Metric = [...(string | Record<string, unknown>)[]];
type Widget = {
  type: 'text' | 'metric' | 'alarm';
  y: number;
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

/** The widgets below a question, up to the next one. */
const answersTo = (question: string) => {
  const from = widgets.findIndex(({ properties }) => properties.markdown?.startsWith(`## ${question}\n`));
  const next = widgets.findIndex(({ type }, index) => index > from && type === 'text');
  return widgets.slice(from + 1, next === -1 ? undefined : next);
};
const titled = (title: string) => {
  const widget = widgets.find(({ properties }) => properties.title === title);
  if (!widget) throw new Error(`There is no ${title}.`);
  return widget.properties;
};
const searches = (title: string) =>
  (titled(title).metrics ?? []).map(([query]) => (typeof query === 'object' ? query['expression'] : query));

describe('the dashboard', () => {
  it.each(['Is it up?', 'Who sends what?', 'How fast?', 'What is refused?', 'What does it cost?'])(
    'answers: %s',
    (question) => {
      expect(answersTo(question).length).toBeGreaterThan(1);
      for (const { type } of answersTo(question)) expect(['metric', 'alarm']).toContain(type);
    },
  );

  it('is found by an output', () => {
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
  ])('finds, as %s, whoever there is: %s by %s', (title, metric, dimensions) => {
    expect(searches(title)).toEqual([
      `SEARCH('{"Warehouse-North",${dimensions}} MetricName="${metric}"', 'Sum', 900)`,
    ]);
  });

  it.each(functionNames)('shows how long %s takes, against its time', (name) => {
    const { metrics, annotations } = titled(`${name}, ms`);
    expect(metrics?.map(([, metric, , value]) => [metric, value])).toEqual(
      Array(3).fill(['Duration', functions[name].ref]),
    );
    const its = functions[name].properties.Timeout * 1_000;
    expect(annotations?.horizontal).toMatchObject([{ value: its, yAxis: 'right' }]);
  });

  it('adds up what it says that it adds up, whatever range is shown', () => {
    expect(JSON.parse(DashboardBody)).toMatchObject({ periodOverride: 'inherit' });
    for (const title of ['Dollars a day', 'Units of the tables a day']) {
      expect(titled(title)).toMatchObject({ start: '-P14D' });
    }
  });

  it('asks for no metric of the whole account', () => {
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

const filterOf = (metric: string) => {
  const [filter, ...others] = deployment
    .resources<Filter>('AWS::Logs::MetricFilter')
    .filter(({ properties }) =>
      properties.MetricTransformations.some(({ MetricName }) => MetricName === metric),
    );
  if (!filter || others.length > 0) throw new Error(`There is not one filter that counts ${metric}.`);
  return filter;
};

describe('refused batches', () => {
  it('are counted by client from the lines of the access log, whoever refused them', () => {
    const { FilterPattern, MetricTransformations } = filterOf('RefusedBatches').properties;
    expect(FilterPattern).toBe(
      '{ ($.operation = "POST /rest/warehouse-control/material-stock-balance") && (($.status = "400") || ($.status = "413") || ($.status = "415")) && ($.client != "-") }',
    );
    expect(MetricTransformations).toEqual([
      {
        MetricNamespace: 'Warehouse-North',
        MetricName: 'RefusedBatches',
        MetricValue: '1',
        Dimensions: [{ Key: 'client', Value: '$.client' }],
      },
    ]);
  });

  it('have in those lines what they are counted by', () => {
    const { Format } = deployment.only<{ AccessLogSetting: { Format: string } }>('AWS::ApiGateway::Stage')
      .properties.AccessLogSetting;
    expect(JSON.parse(Format)).toMatchObject({
      client: '$context.authorizer.client',
      operation: '$context.httpMethod $context.resourcePath',
    });
  });
});

describe('answers that are no success', () => {
  it('are counted by status, from the lines of the access log', () => {
    const { properties } = filterOf('ErrorAnswers');
    const { DestinationArn, Format } = deployment.only<{
      AccessLogSetting: { DestinationArn: string; Format: string };
    }>('AWS::ApiGateway::Stage').properties.AccessLogSetting;
    expect(DestinationArn).toContain(`log-group:${properties['LogGroupName']}`);
    expect(JSON.parse(Format)).toMatchObject({ status: '$context.status' });
    expect(properties).toMatchObject({
      FilterPattern: '{ ($.status = "4*") || ($.status = "5*") }',
      MetricTransformations: [
        {
          MetricNamespace: 'Warehouse-North',
          MetricName: 'ErrorAnswers',
          MetricValue: '1',
          Dimensions: [{ Key: 'status', Value: '$.status' }],
        },
      ],
    });
  });
});

describe('what the dashboard says of costs', () => {
  const { metrics = [] } = titled('Dollars a day');

  /** What an expression of sums makes of one and the same value of all of its metrics. */
  const worth = (label: string, value: number) => {
    const [query] = metrics.find(([query]) => typeof query === 'object' && query['label'] === label) ?? [];
    const expression = String(typeof query === 'object' && query['expression']);
    const [, sum = '', divisor = ''] = /^\((.+)\) \/ (\d+)$/.exec(expression) ?? [];
    const factors = sum.split(' + ').map((term) => /^FILL\(\w+, 0\) \* ([0-9.]+)$/.exec(term)?.[1]);
    return (factors.reduce((total, factor) => total + Number(factor), 0) * value) / Number(divisor);
  };
  const memory = functionNames.reduce((total, name) => total + functions[name].properties.MemorySize, 0);
  const { prices } = priceList;

  it.each([
    ['Gateway', 3.7],
    ['Secrets (at most)', 10],
    ['Traces (at most)', 5],
    ['Tables', 4 * (0.7625 + 0.1525)],
  ])('of a million units of %s is what the list says', (label, dollars) => {
    expect(worth(label, 1_000_000)).toBeCloseTo(dollars, 6);
  });

  it('of a million calls of a millisecond each of the functions is what the list says', () => {
    const gbSeconds = (memory / 1_024) * 1_000;
    const expected = 5 * 1_000_000 * prices.lambdaRequest + gbSeconds * prices.lambdaGbSecond;
    expect(worth('Functions', 1_000_000)).toBeCloseTo(expected, 5);
  });

  it('of a GB in each of the logs is what the list says', () => {
    expect(worth('Logs', 1_073_741_824)).toBeCloseTo(6 * prices.logsIngestedGb, 4);
  });

  it('names the list, its region and its date', () => {
    const words = `List prices of ${priceList.region} of ${priceList.date}, in USD.`;
    expect(widgets.filter(({ properties }) => properties.markdown?.includes(words))).toHaveLength(1);
  });
});
