import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  CfnAlarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

/** The text may be all that an operator sees at night, so it names the impact on people. */
export type AlarmDefinition = {
  id: string;
  happened: string;
  impact: string;
  /** The heading in the runbook. */
  runbookEntry: string;
  metric: IMetric;
  condition: Omit<AlarmProps, 'metric'>;
  /** The time before a new alarm can go off. */
  startsAfter?: Duration;
  /** Also sends a mail when the alarm ends. It sends one at the first deployment, too, so few alarms have it. */
  notifiesWhenEnded?: true;
};

export const FIVE_MINUTES = Duration.minutes(5);
/** An alarm sends a message only when it goes on. With this period, it stays on while failures repeat every 15 minutes. */
export const HOUR = Duration.hours(1);

/** The value is at least the threshold in `datapointsToAlarm` of the last `evaluationPeriods`. */
export const atLeast = (threshold: number, datapointsToAlarm = 1, evaluationPeriods = 1) => ({
  threshold,
  datapointsToAlarm,
  evaluationPeriods,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
});

export const ONCE = atLeast(1);

/** The value is below the threshold in all of the last evaluated periods. */
export const below = (threshold: number, evaluationPeriods: number, treatMissingData: TreatMissingData) => ({
  threshold,
  evaluationPeriods,
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData,
});

/** Missing data is a 0. Without `FILL`, CloudWatch reads earlier periods for each one that has no data. */
export const filled = (counted: Metric) =>
  new MathExpression({
    expression: 'FILL(counted, 0)',
    label: counted.metricName,
    usingMetrics: { counted },
    period: counted.period,
  });

/** Nothing was counted in all of the last periods. */
export const nothingIn = (periods: number, counted: Metric) => ({
  metric: filled(counted),
  condition: below(1, periods, TreatMissingData.BREACHING),
  startsAfter: Duration.minutes(periods * counted.period.toMinutes()),
});

export const addAlarm = (
  scope: Construct,
  { id, metric, condition, startsAfter, happened, impact, runbookEntry }: AlarmDefinition,
  runbook: string,
) => {
  const alarm = new Alarm(scope, id, {
    metric,
    alarmDescription: `${happened} Impact: ${impact} What to do: ${runbook}#${runbookEntry}`,
    ...condition,
  });
  if (startsAfter && alarm.node.defaultChild instanceof CfnAlarm) {
    alarm.node.defaultChild.warmUpConfiguration = {
      warmUpPeriodDurationInMinutes: startsAfter.toMinutes(),
      onlyStartEvaluatingAfterWarmUpPeriodEnds: true,
    };
  }
  return alarm;
};
