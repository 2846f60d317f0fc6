import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { tableNames } from '../../shared/tables.ts';
import type { DeployedParts } from './deployed-parts.ts';
import { priceList } from './price-list.ts';

const DAY = Duration.days(1);
const BYTES_PER_GB = 1_073_741_824;
const MB_PER_GB = 1_024;
const { prices, region, date } = priceList;

/** The authorizer reads the current password and the one before; of a client that it has just seen, it has copies. */
const SECRET_READS_AT_MOST = 2;

/**
 * What a day's requests cost, by service. The start of a process, standing prices, storage and the data that leaves are
 * not in it.
 */
export const costsPerDay = ({ api, authorizer, functions, tables }: DeployedParts): IMetric[] => [
  priced('Gateway', [{ metric: api.stageMetric('Count', Stats.SUM, DAY), price: prices.apiRequest }]),
  priced('Secrets (at most)', [
    {
      metric: authorizer.function.metricInvocations({ statistic: Stats.SUM, period: DAY }),
      price: SECRET_READS_AT_MOST * prices.secretCall,
    },
  ]),
  priced('Traces (at most)', [{ metric: api.stageMetric('Count', Stats.SUM, DAY), price: prices.trace }]),
  priced(
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
  priced(
    'Tables',
    tableNames.flatMap((name) => [
      { metric: tables.metric(name, 'ConsumedReadCapacityUnits', DAY), price: prices.readUnit },
      { metric: tables.metric(name, 'ConsumedWriteCapacityUnits', DAY), price: prices.writeUnit },
    ]),
  ),
  priced(
    'Logs',
    [api.accessLog, ...[authorizer, ...functions].map(({ log }) => log)].map((log) => ({
      metric: incomingBytes(log),
      price: prices.logsIngestedGb / BYTES_PER_GB,
    })),
  ),
];

/** The log group's own method leaves out which group it is, and so counts all of the account. */
const incomingBytes = (log: LogGroup) =>
  log.metricIncomingBytes({
    dimensionsMap: { LogGroupName: log.logGroupName },
    statistic: Stats.SUM,
    period: DAY,
  });

type Priced = { metric: IMetric; price: number };

/** An expression has no room for prices as small as that of one unit. */
const MILLION = 1_000_000;

/** A metric that nothing was reported of counts as nothing; without that, the whole sum would be missing. */
const priced = (label: string, parts: readonly Priced[]) => {
  const id = (index: number) => `${label.toLowerCase().replaceAll(/[^a-z]/g, '')}${index}`;
  const terms = parts.map(({ price }, index) => `FILL(${id(index)}, 0) * ${(price * MILLION).toFixed(9)}`);
  return new MathExpression({
    label,
    expression: `(${terms.join(' + ')}) / ${MILLION}`,
    usingMetrics: Object.fromEntries(parts.map(({ metric }, index) => [id(index), metric])),
    period: DAY,
  });
};

/** Where the prices are from, beside what is computed with them. */
export const PRICES_FROM = `List prices of ${region} of ${date}, in ${priceList.currency}.`;
