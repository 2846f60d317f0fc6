import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

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
  /** The value is below `below` in all of the last `periods` periods. */
  | { below: number; periods: number; missing: TreatMissingData };

export const addAlarm = (
  scope: Construct,
  { id, metric, condition, happened, impact, runbookEntry }: AlarmPlan,
  runbook: string,
) =>
  new Alarm(scope, id, {
    metric,
    alarmDescription: `${happened} Impact: ${impact} What to do: ${runbook}#${runbookEntry}`,
    ...toAlarmProps(condition),
  });

const toAlarmProps = (condition: Condition) =>
  'atLeast' in condition
    ? {
        threshold: condition.atLeast,
        evaluationPeriods: condition.evaluatedPeriods ?? 1,
        datapointsToAlarm: condition.highPeriods ?? 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: condition.below,
        evaluationPeriods: condition.periods,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: condition.missing,
      };
