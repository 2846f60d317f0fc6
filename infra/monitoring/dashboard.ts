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
  PeriodOverride,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { tableNames } from '../../shared/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { costsPerDay, PRICES_FROM } from './cost-metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';

const WHOLE_ROW = 24;
const FIVE_MINUTES = Duration.minutes(5);
const QUARTER_HOUR = Duration.minutes(15);
const DAY = Duration.days(1);

/** Graphs with one point a day show two weeks. */
const FORTNIGHT = '-P14D';

type DashboardContents = MonitoredResources & { alarms: readonly IAlarm[] };

/** One row of graphs answers one question of an admin. */
export const addDashboard = (scope: Construct, contents: DashboardContents) =>
  new Dashboard(scope, 'Dashboard', {
    defaultInterval: DAY,
    // Otherwise the console chooses the period, and daily sums would become sums of minutes.
    periodOverride: PeriodOverride.INHERIT,
    widgets: [
      question('Is it up?', 'The details of an alarm have its text and its runbook entry.'),
      isItUp(contents),
      question('Who sends what?', 'By client, as confirmed with 200.'),
      whoSendsWhat(contents),
      question('How fast?', 'The right axis has the longest, with the time limit of the function.'),
      howFast(contents),
      question(
        'What is refused?',
        'The statuses are those of all answers. Some clients get a 401 before they send credentials.',
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

const stacked = (title: string, parts: number, left: IMetric[], more: GraphWidgetProps = {}) =>
  graph(title, parts, left, { stacked: true, ...more });

const isItUp = ({ api, alarms }: DashboardContents): IWidget[] => [
  new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WHOLE_ROW / 2, height: 6 }),
  graph('Requests', 4, [api.stageMetric('Count', Stats.SUM, FIVE_MINUTES)]),
  graph('Failures (5xx)', 4, [api.stageMetric('5XXError', Stats.SUM, FIVE_MINUTES)]),
];

const whoSendsWhat = ({ metrics }: DashboardContents): IWidget[] => [
  stacked('Batches kept', 3, [metrics.sumBy('Snapshots', ['client'], QUARTER_HOUR)]),
  stacked('Entries in them', 3, [metrics.sumBy('Entries', ['client'], QUARTER_HOUR)]),
  stacked('Changes reported', 3, [metrics.sumBy('Changes', ['client'], QUARTER_HOUR)]),
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
  return graph(`${name}, ms`, 3, [duration(Stats.p(50)), duration(Stats.p(99))], {
    right: [duration(Stats.MAXIMUM)],
    rightYAxis: { min: 0 },
    rightAnnotations: [{ value: timeout.toMilliseconds(), label: 'time limit' }],
  });
};

const whatIsRefused = ({ metrics, authorizer, functions, tables }: DashboardContents): IWidget[] => [
  stacked('Answers by status', 4, [metrics.sumBy('ErrorAnswers', ['status'], QUARTER_HOUR)]),
  stacked('Refused bodies', 4, [metrics.sumBy('RefusedRequests', ['client', 'operation'], QUARTER_HOUR)]),
  graph('Wrong credentials', 4, [
    metrics.sum('WrongCredentials', QUARTER_HOUR),
    metrics.sumBy('WrongCredentials', ['client'], QUARTER_HOUR),
  ]),
  graph('Throttled', 4, [
    metrics.sumBy('ThrottledRequests', ['operation'], QUARTER_HOUR),
    ...[authorizer, ...functions].map(({ name, function: target }) =>
      target.metricThrottles({ statistic: Stats.SUM, period: QUARTER_HOUR, label: name }),
    ),
    ...tableNames.flatMap((name) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metric) =>
        tables.metric(name, metric, QUARTER_HOUR),
      ),
    ),
  ]),
];

const whatDoesItCost = (contents: DashboardContents): IWidget[] => [
  stacked('Dollars a day', 2, costsPerDay(contents), { start: FORTNIGHT }),
  stacked(
    'Units of the tables a day',
    2,
    tableNames.flatMap((name) =>
      ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map((metric) =>
        contents.tables.metric(name, metric, DAY),
      ),
    ),
    { start: FORTNIGHT },
  ),
];
