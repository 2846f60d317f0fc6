import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IAlarm,
  type IMetric,
  type IWidget,
  LegendPosition,
  LogQueryWidget,
  PeriodOverride,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { tableNames } from '../../shared/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { costsPerDay, PRICES_FROM } from './cost-metrics.ts';
import type { LogQueries, LogQuery } from './log-queries.ts';
import type { MonitoredResources } from './monitored-resources.ts';

const WHOLE_ROW = 24;
const FIVE_MINUTES = Duration.minutes(5);
const DAY = Duration.days(1);

const FORTNIGHT = '-P14D';

type DashboardContents = MonitoredResources & { alarms: readonly IAlarm[]; queries: LogQueries };

/** At most 50 metrics, because AWS's free tier covers three dashboards of that size. */
export const addDashboard = (scope: Construct, contents: DashboardContents) =>
  new Dashboard(scope, 'Dashboard', {
    defaultInterval: DAY,
    // Otherwise the console chooses the periods, and a sum per day could become a sum per minute.
    periodOverride: PeriodOverride.INHERIT,
    widgets: [
      question('Is it up?', 'Open an alarm to see its text and its runbook entry.'),
      isItUp(contents),
      question(
        'Who sends what?',
        'The numbers come from the logs and count the requests with the status 200.',
      ),
      whoSendsWhat(contents),
      question('How fast?', 'The right axis shows the slowest request, and the timeout of the function.'),
      howFast(contents),
      question(
        'What is refused?',
        'The statuses count all responses. Some clients get a 401 before they send credentials.',
      ),
      whatIsRefused(contents),
      question(
        'What does it cost?',
        `The costs that grow with requests. ${PRICES_FROM} docs/costs.md has all costs.`,
      ),
      whatDoesItCost(contents),
    ],
  });

const question = (title: string, hint: string): IWidget[] => [
  new TextWidget({ markdown: `## ${title}\n${hint}`, width: WHOLE_ROW, height: 2 }),
];

const graph = (title: string, parts: number, left: IMetric[], more: GraphWidgetProps = {}) =>
  new GraphWidget({
    title,
    width: WHOLE_ROW / parts,
    height: 6,
    left,
    leftYAxis: { min: 0 },
    legendPosition: LegendPosition.BOTTOM,
    ...more,
  });

const table = ({ name, logs, lines }: LogQuery, parts: number) =>
  new LogQueryWidget({
    title: name,
    width: WHOLE_ROW / parts,
    height: 6,
    logGroupNames: logs.map(({ logGroupName }) => logGroupName),
    queryLines: lines,
  });

const isItUp = ({ api, alarms }: DashboardContents): IWidget[] => [
  new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WHOLE_ROW / 2, height: 6 }),
  graph('Requests', 4, [api.stageMetric('Count', Stats.SUM, FIVE_MINUTES)]),
  graph('Failures (5xx)', 4, [api.stageMetric('5XXError', Stats.SUM, FIVE_MINUTES)]),
];

const whoSendsWhat = ({ queries }: DashboardContents): IWidget[] => [
  table(queries.traffic, 2),
  table(queries.limits, 2),
];

const howFast = ({ api, authorizer, functions }: DashboardContents): IWidget[] => [
  graph(
    'The whole request, ms',
    3,
    [Stats.p(50), Stats.p(99), Stats.MAXIMUM].map((statistic) =>
      api.stageMetric('Latency', statistic, FIVE_MINUTES, statistic),
    ),
  ),
  ...[authorizer, ...functions].map(durationOf),
];

const durationOf = ({ name, function: target, timeout }: ServiceFunction) => {
  const duration = (statistic: string) =>
    target.metricDuration({ statistic, period: FIVE_MINUTES, label: statistic });
  return graph(`${name}, ms`, 3, [duration(Stats.p(99))], {
    right: [duration(Stats.MAXIMUM)],
    rightYAxis: { min: 0 },
    rightAnnotations: [{ value: timeout.toMilliseconds(), label: 'time limit' }],
  });
};

const whatIsRefused = ({ queries, tables }: DashboardContents): IWidget[] => [
  table(queries.statuses, 4),
  table(queries.refusedBodies, 4),
  table(queries.wrongCredentials, 4),
  graph(
    'Throttled calls of the tables',
    4,
    tableNames.flatMap((name) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metric) =>
        tables.metric(name, metric, FIVE_MINUTES),
      ),
    ),
  ),
];

const whatDoesItCost = (contents: DashboardContents): IWidget[] => [
  graph('Dollars a day', 1, costsPerDay(contents), { stacked: true, start: FORTNIGHT }),
];
