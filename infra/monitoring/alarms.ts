import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { operations } from '../../shared/operations.ts';
import { type TableName, tableNames } from '../../shared/tables.ts';
import type { Tables } from '../data/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { ClientSettings } from '../settings/client-settings.ts';
import type { DeployedParts } from './deployed-parts.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** What somebody is called for. The text may be all that an admin has at night: it says who suffers, and how. */
export type AlarmPlan = {
  id: string;
  happened: string;
  impact: string;
  /** The entry of the runbook. */
  entry: string;
  metric: IMetric;
  when: When;
};

/** At this value, in one period or in so many of the last ones; or where nothing came in so many periods. */
export type When = { atLeast: number; periods?: number; ofTheLast?: number } | { nothingFor: number };

const SOON = Duration.minutes(5);
const QUARTER_HOUR = Duration.minutes(15);
/** A warehouse that is refused every quarter of an hour is one trouble, and not four an hour. */
const HOUR = Duration.hours(1);

/** Of a function's time; beyond it, the next slow request may not be answered. */
const SLOW_SHARE = 0.7;

export const alarmPlansOf = ({
  settings,
  authorizer,
  functions,
  api,
  tables,
  metrics,
}: DeployedParts): AlarmPlan[] => {
  const { alarms, clients } = settings;
  return [
    {
      id: 'ServerErrors',
      happened: 'A request was answered with a status of 500 or more.',
      impact: 'A warehouse was not served; what it sent is not kept until it sends it again.',
      entry: 'server-errors',
      metric: api.stageMetric('5XXError', Stats.SUM, SOON),
      when: { atLeast: 1 },
    },
    wrongCredentials(metrics),
    manyWrongCredentials(alarms.wrongCredentialsPerHour, metrics),
    authorizerErrors(authorizer),
    ...functions.map(functionErrors),
    ...[authorizer, ...functions].flatMap((target) => [throttled(target), slow(target)]),
    ...tableNames.map((name) => tableThrottled(name, tables)),
    ...clients.flatMap((client) => aboutBatches(client, alarms.silenceHours, metrics)),
  ];
};

/** A warehouse that reports every quarter of an hour is refused no more often than that. */
const wrongCredentials = (metrics: ServiceMetrics): AlarmPlan => ({
  id: 'WrongCredentials',
  happened: 'Wrong credentials came in three of four quarters of an hour.',
  impact: 'A warehouse whose credentials are wrong is shut out: it reports nothing and gets no lists.',
  entry: 'wrong-credentials',
  metric: metrics.sum('WrongCredentials', QUARTER_HOUR),
  when: { atLeast: 1, periods: 3, ofTheLast: 4 },
});

const manyWrongCredentials = (perHour: number, metrics: ServiceMetrics): AlarmPlan => ({
  id: 'ManyWrongCredentials',
  happened: `Wrong credentials came ${perHour} times or more within an hour.`,
  impact: 'Somebody may be guessing at a warehouse; or one is shut out, and tries again in a loop.',
  entry: 'wrong-credentials',
  metric: metrics.sum('WrongCredentials', HOUR),
  when: { atLeast: perHour },
});

const authorizerErrors = ({ function: authorizer, impact }: ServiceFunction): AlarmPlan => ({
  id: 'AuthorizerErrors',
  happened: 'The authorizer failed: it could not read a secret, or crashed.',
  impact: `A client was answered with 500, whatever its credentials. If it is all of them: ${impact}`,
  entry: 'authorizer-failures',
  metric: authorizer.metricErrors({ statistic: Stats.SUM, period: SOON }),
  when: { atLeast: 1 },
});

const functionErrors = ({ name, function: target, impact }: ServiceFunction): AlarmPlan => ({
  id: `Errors-${name}`,
  happened: `The function ${name} crashed or ran out of time.`,
  impact: `A request was answered with 502 or 504, and has to be sent again. If it is all of them: ${impact}`,
  entry: 'function-errors',
  metric: target.metricErrors({ statistic: Stats.SUM, period: SOON }),
  when: { atLeast: 1 },
});

const throttled = ({ name, function: target, impact }: ServiceFunction): AlarmPlan => ({
  id: `Throttles-${name}`,
  happened: `The function ${name} was not started for a request, since too many run or start at once.`,
  impact: `A request was answered with an error, and has to be sent again. If it is all of them: ${impact}`,
  entry: 'function-throttles',
  metric: target.metricThrottles({ statistic: Stats.SUM, period: SOON }),
  when: { atLeast: 1 },
});

const slow = ({ name, function: target, timeout, impact }: ServiceFunction): AlarmPlan => {
  const limit = timeout.toMilliseconds() * SLOW_SHARE;
  return {
    id: `Slow-${name}`,
    happened: `The function ${name} took ${limit / 1_000} s or more of its ${timeout.toSeconds()} s.`,
    impact: `A warehouse waited long for its answer. If it gets worse: ${impact}`,
    entry: 'slow-answers',
    metric: target.metricDuration({ statistic: Stats.MAXIMUM, period: SOON }),
    when: { atLeast: limit },
  };
};

const throttleMetrics = { PutItem: 'WriteThrottleEvents', Scan: 'ReadThrottleEvents' } as const;

/** Counts what the operations do with the table; an admin whose import is throttled waits and needs no alarm. */
const tableThrottled = (name: TableName, tables: Tables): AlarmPlan => {
  const users = Object.values(operations).filter(({ table }) => table === name);
  const metricNames = [...new Set(users.map(({ action }) => throttleMetrics[action]))];
  const usingMetrics = Object.fromEntries(
    metricNames.map((metricName) => [lowerFirst(metricName), tables.metric(name, metricName, SOON)]),
  );
  return {
    id: `Throttled-${name}`,
    happened: `The table ${name} refused calls because of their rate.`,
    impact: `Requests are answered late, or refused with 503. If it is all of them: ${users.map(({ impact }) => impact).join(' ')}`,
    entry: 'table-throttles',
    // Alarms ignore how missing data of DynamoDB's metrics is to be treated, and would stay on without FILL.
    metric: new MathExpression({
      expression: Object.keys(usingMetrics)
        .map((id) => `FILL(${id}, 0)`)
        .join(' + '),
      usingMetrics,
      period: SOON,
    }),
    when: { atLeast: 1 },
  };
};

/** The id of a metric in an expression begins with a lower-case letter. */
const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Of a client that says 0 itself, nobody waits for batches. */
const aboutBatches = (
  { name, silenceHours }: ClientSettings,
  usualHours: number,
  metrics: ServiceMetrics,
) => {
  if (silenceHours === 0) return [];
  const hours = silenceHours ?? usualHours;
  return [refusedBatches(name, metrics), ...(hours === 0 ? [] : [silence(name, hours, metrics)])];
};

const refusedBatches = (client: string, metrics: ServiceMetrics): AlarmPlan => ({
  id: `RefusedBatches-${client}`,
  happened: `A batch of the client ${client} was refused.`,
  impact: `The balances of that batch are not kept; whoever reads the balances of ${client} sees earlier ones.`,
  entry: 'refused-batches',
  metric: metrics.sum('RefusedBatches', HOUR, { client }),
  when: { atLeast: 1 },
});

const silence = (client: string, hours: number, metrics: ServiceMetrics): AlarmPlan => ({
  id: `Silence-${client}`,
  happened: `No batch of the client ${client} was kept for ${hours} h.`,
  impact: `Whoever reads the balances of ${client} sees old ones, and works with them.`,
  entry: 'silence',
  metric: metrics.sum('Snapshots', HOUR, { client }),
  when: { nothingFor: hours },
});
