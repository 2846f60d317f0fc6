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

/** Event, impact and section may be all that an operator sees at night. */
export type AlarmDefinition = {
  id: string;
  /** A sentence that says what happened. */
  event: string;
  impact: string;
  /** The heading of the section in the runbook. */
  runbookSection: string;
  metric: IMetric;
  condition: Omit<AlarmProps, 'metric'>;
  /** For this long after it is created, an alarm cannot start. */
  startsAfter?: Duration;
  /** Also sends a message when the alarm ends, and at the first deployment, where a new alarm becomes OK. Therefore, only few alarms have this field. */
  notifiesWhenEnded?: true;
};

export const FIVE_MINUTES = Duration.minutes(5);
/** An alarm sends a message each time it starts. With this period, failures that repeat every 15 minutes are one alarm. */
export const HOUR = Duration.hours(1);

/** The value is at least the threshold in `datapointsToAlarm` of the last `evaluationPeriods` periods. */
export const atLeast = (threshold: number, datapointsToAlarm = 1, evaluationPeriods = 1) => ({
  threshold,
  datapointsToAlarm,
  evaluationPeriods,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
});

export const ONCE = atLeast(1);

/** The value is below the threshold in all of the last `evaluationPeriods` periods. */
export const below = (threshold: number, evaluationPeriods: number, treatMissingData: TreatMissingData) => ({
  threshold,
  evaluationPeriods,
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData,
});

/** A period without data has the value 0. Without `FILL`, CloudWatch would read earlier periods in its place. */
export const fillWithZeros = (metric: Metric) =>
  new MathExpression({
    expression: 'FILL(counted, 0)',
    label: metric.metricName,
    usingMetrics: { counted: metric },
    period: metric.period,
  });

/** CloudWatch's limit. */
const LONGEST_WARM_UP_MINUTES = 2_880;

/** Nothing was counted in any of the last periods. */
export const nothingIn = (periods: number, metric: Metric) => ({
  metric: fillWithZeros(metric),
  condition: below(1, periods, TreatMissingData.BREACHING),
  startsAfter: Duration.minutes(Math.min(periods * metric.period.toMinutes(), LONGEST_WARM_UP_MINUTES)),
});

export const addAlarm = (
  scope: Construct,
  { id, metric, condition, startsAfter, event, impact, runbookSection }: AlarmDefinition,
  runbook: string,
) => {
  const alarm = new Alarm(scope, id, {
    metric,
    alarmDescription: `${event} Impact: ${impact} What to do: ${runbook}#${runbookSection}`,
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
