import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { tableNames } from '../../shared/tables.ts';
import type { MonitoredResources } from './monitored-resources.ts';
import { priceList } from './price-list.ts';

const DAY = Duration.days(1);
const BYTES_PER_GB = 1_073_741_824;
const MB_PER_GB = 1_024;
const { prices, region, date } = priceList;

const unitPrices = {
  [TableClass.STANDARD]: { read: prices.readUnit, write: prices.writeUnit },
  [TableClass.STANDARD_INFREQUENT_ACCESS]: {
    read: prices.infrequentReadUnit,
    write: prices.infrequentWriteUnit,
  },
};

/** About one per authorization: a right password causes at most one read, and a wrong or replaced one causes two. */
const READS_PER_AUTHORIZATION = 1;

/** These sums leave out cold starts, fixed prices, storage and outgoing data. */
export const costsPerDay = ({ api, authorizer, functions, tables }: MonitoredResources): IMetric[] => [
  costMetric('Gateway', [{ metric: api.stageMetric('Count', Stats.SUM, DAY), price: prices.apiRequest }]),
  costMetric('Secrets (about)', [
    {
      metric: authorizer.function.metricInvocations({ statistic: Stats.SUM, period: DAY }),
      price: READS_PER_AUTHORIZATION * prices.secretCall,
    },
  ]),
  costMetric('Traces (at most)', [{ metric: api.stageMetric('Count', Stats.SUM, DAY), price: prices.trace }]),
  costMetric(
    'Functions',
    [authorizer, ...functions].flatMap(({ function: target, memorySize }) => [
      {
        metric: target.metricInvocations({ statistic: Stats.SUM, period: DAY }),
        price: prices.lambdaRequest,
      },
      {
        metric: target.metricDuration({ statistic: Stats.SUM, period: DAY }),
        price: (prices.lambdaGbSecond * memorySize) / MB_PER_GB / 1_000,
      },
    ]),
  ),
  costMetric(
    'Tables',
    tableNames.flatMap((name) => {
      const unit = unitPrices[tables.classOf(name)];
      return [
        { metric: tables.metric(name, 'ConsumedReadCapacityUnits', DAY), price: unit.read },
        { metric: tables.metric(name, 'ConsumedWriteCapacityUnits', DAY), price: unit.write },
      ];
    }),
  ),
  costMetric(
    'Logs',
    [api.accessLog, ...[authorizer, ...functions].map(({ log }) => log)].map((log) => ({
      metric: incomingBytes(log),
      price: prices.logsIngestedGb / BYTES_PER_GB,
    })),
  ),
];

/** Without `dimensionsMap`, this method counts all log groups of the account. */
const incomingBytes = (log: LogGroup) =>
  log.metricIncomingBytes({
    dimensionsMap: { LogGroupName: log.logGroupName },
    statistic: Stats.SUM,
    period: DAY,
  });

type PricedMetric = { metric: IMetric; price: number };

/** A metric expression cannot hold a number as small as the price of one unit. */
const MILLION = 1_000_000;

/** FILL counts a missing metric as 0. Without it, the whole sum would be missing. */
const costMetric = (label: string, parts: readonly PricedMetric[]) => {
  const id = (index: number) => `${label.toLowerCase().replaceAll(/[^a-z]/g, '')}${index}`;
  const terms = parts.map(({ price }, index) => `FILL(${id(index)}, 0) * ${(price * MILLION).toFixed(9)}`);
  return new MathExpression({
    label,
    expression: `(${terms.join(' + ')}) / ${MILLION}`,
    usingMetrics: Object.fromEntries(parts.map(({ metric }, index) => [id(index), metric])),
    period: DAY,
  });
};

export const PRICES_FROM = `List prices of ${region} of ${date}, in ${priceList.currency}.`;
