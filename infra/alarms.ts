import { Duration } from 'aws-cdk-lib';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { type OwnMetrics, operationLabel } from './own-metrics.ts';
import type { WarehouseApi } from './rest-api.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import { type TableName, type Tables, tableNames } from './tables.ts';

/** All that is watched, and by what it is measured. */
export type Watched = {
  settings: Settings;
  authorizer: ServiceFunction;
  /** What serves the operations. */
  functions: readonly ServiceFunction[];
  api: WarehouseApi;
  tables: Tables;
  metrics: OwnMetrics;
  logs: readonly LogGroup[];
};

/** What somebody is called for. The text may be all that an admin has at night: it says who suffers, and how. */
export type Watch = {
  id: string;
  happened: string;
  impact: string;
  /** The entry of docs/runbook.md. */
  runbook: string;
  metric: Metric;
  /** It goes off at this value, or where nothing came in so many periods. */
  when: { atLeast: number } | { nothingFor: number };
};

const SOON = Duration.minutes(5);
/** A warehouse that is refused every quarter of an hour is one trouble, and not four an hour. */
const HOURLY = Duration.hours(1);

/** Of a function's time; beyond it, the next slow request may not be answered. */
const SLOW_SHARE = 0.7;

export const watchesOf = (watched: Watched): Watch[] => {
  const { settings, api, metrics } = watched;
  const { silenceHours, wrongCredentialsPerHour } = settings.alarms;
  return [
    {
      id: 'ServerErrors',
      happened: 'A request was answered with a status of 500 or more.',
      impact: 'A warehouse was not served; what it sent is not kept until it sends it again.',
      runbook: 'server-errors',
      metric: api.stageMetric('5XXError', Stats.SUM, SOON),
      when: { atLeast: 1 },
    },
    {
      id: 'WrongCredentials',
      happened: `Wrong credentials were sent ${wrongCredentialsPerHour} times or more within an hour.`,
      impact:
        'A warehouse whose credentials are wrong is shut out and reports nothing; or a stranger guesses.',
      runbook: 'wrong-credentials',
      metric: metrics.sum('WrongCredentials', HOURLY),
      when: { atLeast: wrongCredentialsPerHour },
    },
    authorizerErrors(watched.authorizer),
    ...watched.functions.map(functionErrors),
    ...[watched.authorizer, ...watched.functions].flatMap((each) => [throttled(each), slow(each)]),
    ...tableNames.map((name) => tableThrottled(name, watched.tables)),
    ...settings.clients
      .filter((client) => client.silenceHours !== 0)
      .flatMap((client) => [
        refusedBatches(client.name, metrics),
        ...silence(client.name, client.silenceHours ?? silenceHours, metrics),
      ]),
  ];
};

const authorizerErrors = ({ function: authorizer, impact }: ServiceFunction): Watch => ({
  id: 'AuthorizerErrors',
  happened: 'The authorizer failed: it could not read a secret, or crashed.',
  impact: `${impact} Clients see 500, whatever their credentials.`,
  runbook: 'authorizer-failures',
  metric: authorizer.metricErrors({ statistic: Stats.SUM, period: SOON }),
  when: { atLeast: 1 },
});

const functionErrors = ({ name, function: each, impact }: ServiceFunction): Watch => ({
  id: `Errors-${name}`,
  happened: `The function ${name} crashed or ran out of time.`,
  impact: `${impact} Clients see 502 or 504.`,
  runbook: 'function-errors',
  metric: each.metricErrors({ statistic: Stats.SUM, period: SOON }),
  when: { atLeast: 1 },
});

const throttled = ({ name, function: each, impact }: ServiceFunction): Watch => ({
  id: `Throttles-${name}`,
  happened: `The function ${name} was not started for a request: the account runs as many functions as it may.`,
  impact: `${impact} Clients see errors until there is room.`,
  runbook: 'function-throttles',
  metric: each.metricThrottles({ statistic: Stats.SUM, period: SOON }),
  when: { atLeast: 1 },
});

const slow = ({ name, function: each, timeout, impact }: ServiceFunction): Watch => {
  const limit = timeout.toMilliseconds() * SLOW_SHARE;
  return {
    id: `Slow-${name}`,
    happened: `The function ${name} took ${limit / 1_000} s or more of its ${timeout.toSeconds()} s.`,
    impact: `Warehouses wait long for their answers. If it goes on: ${impact}`,
    runbook: 'slow-answers',
    metric: each.metricDuration({ statistic: Stats.MAXIMUM, period: SOON }),
    when: { atLeast: limit },
  };
};

/** What the operations do to each table, and who notices when they cannot. */
const tableUses: Record<TableName, { metric: string; impact: string }> = {
  MaterialCodes: {
    metric: 'ReadThrottleEvents',
    impact: 'Warehouses wait for the material codes or do not get them.',
  },
  PurchaseOrders: {
    metric: 'ReadThrottleEvents',
    impact: 'Warehouses wait for the purchase orders or do not get them.',
  },
  ChangeTimestamps: {
    metric: 'WriteThrottleEvents',
    impact: 'Changes are confirmed late, or refused with 503.',
  },
  BalanceSnapshots: {
    metric: 'WriteThrottleEvents',
    impact: 'Batches are confirmed late, or refused with 503.',
  },
};

const tableThrottled = (name: TableName, tables: Tables): Watch => ({
  id: `Throttled-${name}`,
  happened: `The table ${name} has refused calls for the load that it was under.`,
  impact: tableUses[name].impact,
  runbook: 'table-throttles',
  metric: tables.metric(name, tableUses[name].metric, SOON),
  when: { atLeast: 1 },
});

const refusedBatches = (client: string, metrics: OwnMetrics): Watch => ({
  id: `RefusedBatches-${client}`,
  happened: `A batch of the client ${client} was refused.`,
  impact: `The balances of that batch are not kept; whoever reads the balances of ${client} sees earlier ones.`,
  runbook: 'refused-batches',
  metric: metrics.sum('RefusedRequests', HOURLY, {
    client,
    operation: operationLabel('post-material-stock-balance'),
  }),
  when: { atLeast: 1 },
});

const silence = (client: string, hours: number, metrics: OwnMetrics): Watch[] =>
  hours === 0
    ? []
    : [
        {
          id: `Silence-${client}`,
          happened: `No batch of the client ${client} was kept for ${hours} h.`,
          impact: `Whoever reads the balances of ${client} sees old ones, and works with them.`,
          runbook: 'silence',
          metric: metrics.sum('Snapshots', HOURLY, { client }),
          when: { nothingFor: hours },
        },
      ];
