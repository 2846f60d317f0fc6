import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type OperationName, operationNames, operations } from '../../shared/operations.ts';
import { blockedRequests } from '../api/firewall.ts';
import type { Backup } from '../data/backup.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { ClientSettings } from '../settings/client-settings.ts';
import type { MonitoredResources } from './monitored-resources.ts';
import { operationLabel, type ServiceMetrics } from './service-metrics.ts';

/** The text may be all that an operator sees at night, so it names the impact on people. */
export type AlarmPlan = {
  id: string;
  happened: string;
  impact: string;
  /** The heading in the runbook. */
  runbookEntry: string;
  metric: IMetric;
  condition: Condition;
  /** Also sends a mail when the alarm ends. It sends one at the first deployment, too, so few alarms have it. */
  notifiesWhenEnded?: true;
};

export type Condition =
  /** The value is `atLeast` or more in `highPeriods` (default 1) of the last `evaluatedPeriods` (default 1). */
  | { atLeast: number; highPeriods?: number; evaluatedPeriods?: number }
  /** The value is 0 or missing in all of the last `silentPeriods` periods. */
  | { silentPeriods: number };

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER_HOUR = Duration.minutes(15);
/** With this period, repeated failures cause one alarm an hour, not four. */
const HOUR = Duration.hours(1);

/** Clients retry, so a single failure needs no alarm. */
const REPEATED: Condition = { atLeast: 1, highPeriods: 2, evaluatedPeriods: 3 };

/** AWS recommends an alarm at this percentage of Lambda's quota. */
const ALARM_AT_QUOTA_PERCENT = 70;

const SLOW_SHARE = 0.7;

export const planAlarms = ({
  settings,
  authorizer,
  functions,
  api,
  backup,
  metrics,
}: MonitoredResources): AlarmPlan[] => {
  const { alarms, clients } = settings;
  return [
    {
      id: 'ServerErrors',
      happened: 'Requests failed with a status of 500 or more in two of the last three 15-minute periods.',
      impact: 'Warehouses are not served. What they sent may not be stored, so they have to send it again.',
      runbookEntry: 'server-errors',
      metric: api.stageMetric('5XXError', Stats.SUM, QUARTER_HOUR),
      condition: REPEATED,
      notifiesWhenEnded: true,
    },
    tooManyRequests(metrics),
    clientLimits(metrics),
    ...(settings.firewall ? [firewallBlocks(settings.stackName)] : []),
    claimedConcurrency(),
    wrongCredentials(metrics),
    manyWrongCredentials(alarms.wrongCredentialsPerHour, metrics),
    authorizerErrors(authorizer),
    ...functions.map(functionErrors),
    ...[authorizer, ...functions].flatMap((target) => [functionThrottles(target), slowFunction(target)]),
    ...operationNames.map((name) => throttledRequests(name, metrics)),
    ...(backup ? [noBackups(backup)] : []),
    refusedBatches(clients, metrics),
    ...clients.flatMap((client) => silence(client, alarms.silenceHours, metrics)),
  ];
};

const tooManyRequests = (metrics: ServiceMetrics): AlarmPlan => ({
  id: 'TooManyRequests',
  happened: "Requests exceeded the stage's throttle in two of the last three 15-minute periods.",
  impact: 'Any warehouse may get a 429. It is served only if it sends the request again.',
  runbookEntry: 'too-many-requests',
  metric: metrics.sum('TooManyRequests', QUARTER_HOUR),
  condition: REPEATED,
});

/** Counts the 429 responses whose client is in the access log. tooManyRequests counts those without a client. */
const clientLimits = (metrics: ServiceMetrics): AlarmPlan => ({
  id: 'ClientLimits',
  happened: 'A client exceeded its own limits in two of the last three 15-minute periods.',
  impact: 'That client gets a 429 and has to send again. Other clients are served as before.',
  runbookEntry: 'client-limits',
  metric: metrics.sumByClient('LimitedRequests', QUARTER_HOUR),
  condition: REPEATED,
});

const firewallBlocks = (stackName: string): AlarmPlan => ({
  id: 'FirewallBlocks',
  happened: 'The firewall blocked an address that sent too many requests.',
  impact: 'If it is the address of a warehouse, that warehouse is not served.',
  runbookEntry: 'firewall-blocks',
  metric: blockedRequests(stackName, HOUR),
  condition: { atLeast: 1 },
});

/** A percentage, because the quota differs between accounts. */
const claimedConcurrency = (): AlarmPlan => ({
  id: 'ClaimedConcurrency',
  happened: `The functions of the account run or reserve ${ALARM_AT_QUOTA_PERCENT} % of Lambda's quota for this region.`,
  impact: 'No request has failed yet. Above the quota, requests of warehouses fail.',
  runbookEntry: 'function-throttles',
  metric: new MathExpression({
    expression: '100 * claimed / SERVICE_QUOTA(running)',
    usingMetrics: {
      claimed: LambdaFunction.metricAll('ClaimedAccountConcurrency', {
        statistic: Stats.MAXIMUM,
        period: FIVE_MINUTES,
      }),
      running: LambdaFunction.metricAllConcurrentExecutions({
        statistic: Stats.MAXIMUM,
        period: FIVE_MINUTES,
      }),
    },
    period: FIVE_MINUTES,
  }),
  condition: { atLeast: ALARM_AT_QUOTA_PERCENT },
});

const wrongCredentials = (metrics: ServiceMetrics): AlarmPlan => ({
  id: 'WrongCredentials',
  happened: 'Requests had wrong credentials in three of the last four 15-minute periods.',
  impact: 'A warehouse has wrong credentials: it cannot report anything and gets no lists.',
  runbookEntry: 'wrong-credentials',
  metric: metrics.sum('WrongCredentials', QUARTER_HOUR),
  condition: { atLeast: 1, highPeriods: 3, evaluatedPeriods: 4 },
});

const manyWrongCredentials = (perHour: number, metrics: ServiceMetrics): AlarmPlan => ({
  id: 'ManyWrongCredentials',
  happened: `Requests had wrong credentials ${perHour} times or more within an hour.`,
  impact: 'Somebody may be guessing credentials, or a warehouse with wrong ones retries in a loop.',
  runbookEntry: 'wrong-credentials',
  metric: metrics.sum('WrongCredentials', HOUR),
  condition: { atLeast: perHour },
});

const authorizerErrors = ({ function: authorizer, impact }: ServiceFunction): AlarmPlan => ({
  id: 'AuthorizerErrors',
  happened: 'The authorizer could not read a secret, or crashed.',
  impact: `A client got a 503 although its credentials may be right. If all clients get it: ${impact}`,
  runbookEntry: 'authorizer-failures',
  metric: authorizer.metricErrors({ statistic: Stats.SUM, period: FIVE_MINUTES }),
  condition: { atLeast: 1 },
});

const functionErrors = ({ name, function: target, impact }: ServiceFunction): AlarmPlan => ({
  id: `Errors-${name}`,
  happened: `The function ${name} crashed or timed out.`,
  impact: `A request got a 502 or 504 and has to be sent again. If all requests fail: ${impact}`,
  runbookEntry: 'function-errors',
  metric: target.metricErrors({ statistic: Stats.SUM, period: FIVE_MINUTES }),
  condition: { atLeast: 1 },
});

const functionThrottles = ({ name, function: target, impact }: ServiceFunction): AlarmPlan => ({
  id: `Throttles-${name}`,
  happened: `Lambda did not start the function ${name} for a request, because too many run or start at once.`,
  impact: `A request got an error and has to be sent again. If all requests fail: ${impact}`,
  runbookEntry: 'function-throttles',
  metric: target.metricThrottles({ statistic: Stats.SUM, period: FIVE_MINUTES }),
  condition: { atLeast: 1 },
});

const slowFunction = ({ name, function: target, timeout, impact }: ServiceFunction): AlarmPlan => {
  const limit = timeout.toMilliseconds() * SLOW_SHARE;
  return {
    id: `Slow-${name}`,
    happened: `The function ${name} took ${limit / 1_000} s or more of its ${timeout.toSeconds()} s.`,
    impact: `A warehouse waited long for its answer. If it gets worse: ${impact}`,
    runbookEntry: 'slow-answers',
    metric: target.metricDuration({ statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
    condition: { atLeast: limit },
  };
};

/** Counts requests, not calls: a throttled call whose retry succeeded needs no alarm. */
const throttledRequests = (name: OperationName, metrics: ServiceMetrics): AlarmPlan => {
  const { table, impact } = operations[name];
  return {
    id: `Throttled-${table}`,
    happened: `The table ${table} refused calls for so long that a request failed.`,
    impact: `A request got a 503 and has to be sent again. If all requests fail: ${impact}`,
    runbookEntry: 'table-throttles',
    metric: metrics.sum('ThrottledRequests', FIVE_MINUTES, { operation: operationLabel(name) }),
    condition: { atLeast: 1 },
  };
};

/** A failed backup sends a message of its own. This alarm is for a plan that makes no backups at all. */
const noBackups = (backup: Backup): AlarmPlan => ({
  id: 'NoBackups',
  happened: 'For two days, no table had a successful backup.',
  impact: 'Warehouses notice nothing. New data is in no backup until the next backup succeeds.',
  runbookEntry: 'backups',
  metric: backup.completed(Duration.days(1)),
  condition: { silentPeriods: 2 },
  notifiesWhenEnded: true,
});

const refusedBatches = (clients: readonly ClientSettings[], metrics: ServiceMetrics): AlarmPlan => {
  // `silenceHours` 0 turns off all alarms about a client's batches.
  const ignored = clients.filter(({ silenceHours }) => silenceHours === 0);
  return {
    id: 'RefusedBatches',
    happened: 'A batch of a client was refused.',
    impact:
      'The balances of that batch are not stored. People who read the balances of the client see earlier ones.',
    runbookEntry: 'refused-batches',
    metric: metrics.sumByClient(
      'RefusedBatches',
      HOUR,
      ignored.map(({ name }) => name),
    ),
    condition: { atLeast: 1 },
  };
};

/** One alarm per client, because a query over all clients does not show that one of them has no data. */
const silence = (
  { name, silenceHours }: ClientSettings,
  defaultHours: number,
  metrics: ServiceMetrics,
): AlarmPlan[] => {
  const hours = silenceHours ?? defaultHours;
  if (hours === 0) return [];
  return [
    {
      id: `Silence-${name}`,
      happened: `No batch of the client ${name} was stored for ${hours} h.`,
      impact: `People who read the balances of ${name} see old ones and work with them.`,
      runbookEntry: 'silence',
      metric: metrics.sum('Snapshots', HOUR, { client: name }),
      condition: { silentPeriods: hours },
      notifiesWhenEnded: true,
    },
  ];
};
