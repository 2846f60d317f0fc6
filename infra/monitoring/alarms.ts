import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { operationNames, operations } from '../../shared/operations.ts';
import { blockedRequests } from '../api/firewall.ts';
import type { WarehouseApi } from '../api/rest-api.ts';
import type { Backup } from '../data/backup.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { operationLabel, type ServiceMetrics } from '../service-metrics.ts';
import type { Settings } from '../settings/settings.ts';
import type { AlarmPlan, Condition } from './alarm.ts';

export type MonitoredResources = {
  settings: Settings;
  authorizer: ServiceFunction;
  functions: readonly ServiceFunction[];
  watch: ServiceFunction;
  api: WarehouseApi;
  backup: Backup | undefined;
  metrics: ServiceMetrics;
};

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER_HOUR = Duration.minutes(15);
/** With this period, repeated failures cause one alarm an hour, not four. */
const HOUR = Duration.hours(1);

const ONCE: Condition = { atLeast: 1 };
/** Clients retry, so a single failure needs no alarm. */
const REPEATED: Condition = { atLeast: 1, highPeriods: 2, evaluatedPeriods: 3 };

/** AWS recommends an alarm at this percentage of Lambda's quota. */
const ALARM_AT_QUOTA_PERCENT = 70;

const SLOW_SHARE = 0.7;

export const planAlarms = (resources: MonitoredResources): AlarmPlan[] => [
  ...alarmsOfRequests(resources),
  ...alarmsOfFunctions(resources),
  ...alarmsOfWatch(resources),
  ...alarmsOfData(resources),
];

const alarmsOfRequests = ({ settings, api, metrics }: MonitoredResources): AlarmPlan[] => [
  {
    id: 'ServerErrors',
    happened: 'Requests failed with a status of 500 or more in two of the last three 15-minute periods.',
    impact: 'Warehouses are not served. What they sent may not be stored, so they have to send it again.',
    runbookEntry: 'server-errors',
    metric: api.serverErrors(QUARTER_HOUR),
    condition: REPEATED,
    notifiesWhenEnded: true,
  },
  // Counts the 429 responses without a client in the access log. The next alarm counts those with a client.
  {
    id: 'TooManyRequests',
    happened: "Requests exceeded the stage's throttle in two of the last three 15-minute periods.",
    impact: 'Any warehouse may get a 429. It is served only if it sends the request again.',
    runbookEntry: 'too-many-requests',
    metric: metrics.sum('TooManyRequests', QUARTER_HOUR),
    condition: REPEATED,
  },
  {
    id: 'ClientLimits',
    happened: 'A client exceeded its own limits in two of the last three 15-minute periods.',
    impact: 'That client gets a 429 and has to send again. Other clients are served as before.',
    runbookEntry: 'client-limits',
    metric: metrics.sumByClient('LimitedRequests', QUARTER_HOUR),
    condition: REPEATED,
  },
  ...(settings.firewall ? [firewallBlocks(settings.stackName)] : []),
  ...(settings.domain ? [certificateExpiry(settings.domain.certificateArn)] : []),
  {
    id: 'WrongCredentials',
    happened: 'Requests had wrong credentials in three of the last four 15-minute periods.',
    impact: 'A warehouse has wrong credentials: it cannot report anything and gets no lists.',
    runbookEntry: 'wrong-credentials',
    metric: metrics.sum('WrongCredentials', QUARTER_HOUR),
    condition: { atLeast: 1, highPeriods: 3, evaluatedPeriods: 4 },
  },
  {
    id: 'ManyWrongCredentials',
    happened: `Requests had wrong credentials ${settings.alarms.wrongCredentialsPerHour} times or more within an hour.`,
    impact: 'Somebody may be guessing credentials, or a warehouse with wrong ones retries in a loop.',
    runbookEntry: 'wrong-credentials',
    metric: metrics.sum('WrongCredentials', HOUR),
    condition: { atLeast: settings.alarms.wrongCredentialsPerHour },
  },
];

const firewallBlocks = (stackName: string): AlarmPlan => ({
  id: 'FirewallBlocks',
  happened: 'The firewall blocked an address that sent too many requests.',
  impact: 'If it is the address of a warehouse, that warehouse is not served.',
  runbookEntry: 'firewall-blocks',
  metric: blockedRequests(stackName, HOUR),
  condition: ONCE,
});

const certificateExpiry = (certificateArn: string): AlarmPlan => ({
  id: 'CertificateExpiry',
  happened: 'The certificate of the domain expires in less than 21 days.',
  impact: 'No request has failed yet. After its end, no warehouse can connect to the domain.',
  runbookEntry: 'certificate',
  metric: new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    dimensionsMap: { CertificateArn: certificateArn },
    statistic: Stats.MINIMUM,
    period: Duration.days(1),
  }),
  // The metric ends with the certificate, and the alarm must not.
  condition: { below: 21, periods: 1, missing: TreatMissingData.IGNORE },
});

const alarmsOfFunctions = ({ authorizer, functions, metrics }: MonitoredResources): AlarmPlan[] => [
  {
    id: 'ClaimedConcurrency',
    happened: `The functions of the account run or reserve ${ALARM_AT_QUOTA_PERCENT} % of Lambda's quota for this region.`,
    impact: 'No request has failed yet. Above the quota, requests of warehouses fail.',
    runbookEntry: 'function-throttles',
    metric: claimedConcurrency(),
    condition: { atLeast: ALARM_AT_QUOTA_PERCENT },
  },
  {
    id: 'AuthorizerErrors',
    happened: 'The authorizer found no client that it could read, or crashed.',
    impact: `For 5 minutes, most clients are served as before. After that, each gets a 503: ${authorizer.impact}`,
    runbookEntry: 'authorizer-failures',
    metric: authorizerFailures(authorizer, metrics),
    condition: ONCE,
  },
  ...functions.map(
    ({ name, function: target, impact }): AlarmPlan => ({
      id: `Errors-${name}`,
      happened: `The function ${name} crashed or timed out.`,
      impact: `A request got a 502 or 504 and has to be sent again. If all requests fail: ${impact}`,
      runbookEntry: 'function-errors',
      metric: target.metricErrors({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      condition: ONCE,
    }),
  ),
  ...[authorizer, ...functions].flatMap(({ name, function: target, timeout, impact }): AlarmPlan[] => [
    {
      id: `Throttles-${name}`,
      happened: `Lambda did not start the function ${name} for a request, because too many run or start at once.`,
      impact: `A request got an error and has to be sent again. If all requests fail: ${impact}`,
      runbookEntry: 'function-throttles',
      metric: target.metricThrottles({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      condition: ONCE,
    },
    {
      id: `Slow-${name}`,
      happened: `The function ${name} took ${timeout.toSeconds() * SLOW_SHARE} s or more of its ${timeout.toSeconds()} s.`,
      impact: `A warehouse waited long for its answer. If it gets worse: ${impact}`,
      runbookEntry: 'slow-answers',
      metric: target.metricDuration({ statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
      condition: { atLeast: timeout.toMilliseconds() * SLOW_SHARE },
    },
  ]),
];

/** While a copy of the clients is used, a failed read is no error of the function. */
const authorizerFailures = (authorizer: ServiceFunction, metrics: ServiceMetrics) =>
  new MathExpression({
    expression: 'FILL(errors, 0) + FILL(unreadable, 0)',
    usingMetrics: {
      errors: authorizer.function.metricErrors({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      unreadable: metrics.sum('UnreadableClients', FIVE_MINUTES),
    },
    period: FIVE_MINUTES,
  });

/** A percentage, because the quota differs between accounts. */
const claimedConcurrency = () => {
  const highest = { statistic: Stats.MAXIMUM, period: FIVE_MINUTES };
  return new MathExpression({
    expression: '100 * claimed / SERVICE_QUOTA(running)',
    usingMetrics: {
      claimed: LambdaFunction.metricAll('ClaimedAccountConcurrency', highest),
      running: LambdaFunction.metricAllConcurrentExecutions(highest),
    },
    period: FIVE_MINUTES,
  });
};

const alarmsOfWatch = ({ watch }: MonitoredResources): AlarmPlan[] => [
  {
    id: 'WatchErrors',
    happened: 'The watch could not tell which clients are late.',
    impact: watch.impact,
    runbookEntry: 'watch',
    metric: watch.function.metricErrors({ statistic: Stats.SUM, period: HOUR }),
    condition: ONCE,
  },
  {
    id: 'WatchMissing',
    happened: 'The watch has not run for three hours.',
    impact: watch.impact,
    runbookEntry: 'watch',
    metric: new MathExpression({
      expression: 'FILL(invocations, 0)',
      usingMetrics: { invocations: watch.function.metricInvocations({ statistic: Stats.SUM, period: HOUR }) },
      period: HOUR,
    }),
    condition: { below: 1, periods: 3, missing: TreatMissingData.NOT_BREACHING },
  },
];

const alarmsOfData = ({ backup, metrics }: MonitoredResources): AlarmPlan[] => [
  ...operationNames.map((name): AlarmPlan => {
    const { table, impact } = operations[name];
    return {
      id: `Throttled-${table}`,
      happened: `The table ${table} refused calls for so long that a request failed.`,
      impact: `A request got a 503 and has to be sent again. If all requests fail: ${impact}`,
      runbookEntry: 'table-throttles',
      // Counts requests, not calls: a throttled call whose retry succeeded needs no alarm.
      metric: metrics.sum('ThrottledRequests', FIVE_MINUTES, { operation: operationLabel(name) }),
      condition: ONCE,
    };
  }),
  ...(backup ? [noBackups(backup)] : []),
  {
    id: 'RefusedBatches',
    happened: 'A batch of a client was refused.',
    impact:
      'The balances of that batch are not stored. People who read the balances of the client see earlier ones.',
    runbookEntry: 'refused-batches',
    metric: metrics.sumByClient('RefusedBatches', HOUR),
    condition: ONCE,
  },
];

/** A failed backup sends a message of its own. This alarm is for a plan that makes no backups at all. */
const noBackups = (backup: Backup): AlarmPlan => ({
  id: 'NoBackups',
  happened: 'For two days, no table had a successful backup.',
  impact: 'Warehouses notice nothing. New data is in no backup until the next backup succeeds.',
  runbookEntry: 'backups',
  metric: backup.completed(Duration.days(1)),
  condition: { below: 1, periods: 2, missing: TreatMissingData.BREACHING },
  notifiesWhenEnded: true,
});
