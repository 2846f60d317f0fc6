import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { ServiceMetrics } from '../service-metrics.ts';
import { type AlarmDefinition, atLeast, FIVE_MINUTES, HOUR, nothingIn, ONCE } from './alarm.ts';

export type MonitoredFunctions = {
  authorizer: ServiceFunction;
  /** One for each operation. */
  functions: readonly ServiceFunction[];
  watch: ServiceFunction;
  metrics: ServiceMetrics;
};

/** AWS recommends an alarm at this percentage of Lambda's quota. */
const ALARM_AT_QUOTA_PERCENT = 70;

const SLOW_SHARE = 0.7;

export const alarmsOfFunctions = ({
  authorizer,
  functions,
  metrics,
}: MonitoredFunctions): AlarmDefinition[] => [
  {
    id: 'ClaimedConcurrency',
    event: `The functions of the account run or reserve ${ALARM_AT_QUOTA_PERCENT} % of Lambda's quota for this region.`,
    impact: 'No request has failed yet. Above the quota, requests of warehouses fail.',
    runbookSection: 'function-throttles',
    metric: claimedConcurrency(),
    condition: atLeast(ALARM_AT_QUOTA_PERCENT),
  },
  {
    id: 'AuthorizerErrors',
    event:
      'The authorizer could not read the table Clients, found no client in it, crashed, or refused right credentials that came with others.',
    impact: `In the last case, only the program that sent both gets a 401. In the other cases, most clients are served as before for 5 minutes. After that, every client gets a 503: ${authorizer.impact}`,
    runbookSection: 'authorizer-failures',
    metric: authorizerFailures(authorizer, metrics),
    condition: ONCE,
  },
  ...functions.map(
    ({ name, function: target, impact }): AlarmDefinition => ({
      id: `Errors-${name}`,
      event: `The function ${name} crashed or timed out.`,
      impact: `A request got a 502 or 504 and has to be sent again. If all requests fail: ${impact}`,
      runbookSection: 'function-errors',
      metric: target.metricErrors({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      condition: ONCE,
    }),
  ),
  ...[authorizer, ...functions].flatMap(({ name, function: target, timeout, impact }): AlarmDefinition[] => [
    {
      id: `Throttles-${name}`,
      event: `Lambda did not start the function ${name} for a request, because too many functions run or start at once.`,
      impact: `A request got an error and has to be sent again. If all requests fail: ${impact}`,
      runbookSection: 'function-throttles',
      metric: target.metricThrottles({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      condition: ONCE,
    },
    {
      id: `Slow-${name}`,
      event: `The function ${name} took ${timeout.toSeconds() * SLOW_SHARE} s or more of its ${timeout.toSeconds()} s.`,
      impact: `A warehouse waited long for its response. If it gets worse: ${impact}`,
      runbookSection: 'slow-responses',
      metric: target.metricDuration({ statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
      condition: atLeast(timeout.toMilliseconds() * SLOW_SHARE),
    },
  ]),
];

/** Also counts failed reads: an authorizer that still has a copy of the clients returns normally, so AWS counts no error. CloudWatch adds missing data as 0. */
const authorizerFailures = (authorizer: ServiceFunction, metrics: ServiceMetrics) =>
  new MathExpression({
    expression: 'errors + unreadable',
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

export const alarmsOfWatch = ({ watch }: MonitoredFunctions): AlarmDefinition[] => [
  {
    id: 'WatchErrors',
    event: 'The watch could not tell which clients are late.',
    impact: watch.impact,
    runbookSection: 'watch',
    metric: watch.function.metricErrors({ statistic: Stats.SUM, period: HOUR }),
    condition: ONCE,
  },
  {
    id: 'WatchMissing',
    event: 'The watch has not run for three hours.',
    impact: watch.impact,
    runbookSection: 'watch',
    ...nothingIn(3, watch.function.metricInvocations({ statistic: Stats.SUM, period: HOUR })),
  },
];
