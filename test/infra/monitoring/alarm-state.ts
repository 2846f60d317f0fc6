/** The properties of an alarm that decide what it watches and when it goes off. */
export type AlarmProperties = {
  AlarmDescription: string;
  AlarmActions: string[];
  OKActions?: string[];
  Namespace?: string;
  MetricName?: string;
  Dimensions?: { Name: string; Value: string }[];
  Metrics?: { Expression?: string; MetricStat?: MetricStat }[];
  Statistic?: string;
  Period?: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Threshold: number;
  ComparisonOperator: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold';
  TreatMissingData: 'breaching' | 'notBreaching';
};

type MetricStat = { Metric: MetricProperties; Period: number; Stat: string };
type MetricProperties = Required<Pick<AlarmProperties, 'Namespace' | 'MetricName' | 'Dimensions'>>;

/**
 * Whether an alarm goes off after these periods, oldest first. CloudWatch looks back a little further: an alarm of
 * silence, and the end of any alarm, can come later and never earlier.
 */
export const goesOff = (alarm: AlarmProperties, periods: (number | undefined)[]) => {
  const breaches = (value: number | undefined) => {
    if (value === undefined) return alarm.TreatMissingData === 'breaching';
    return alarm.ComparisonOperator === 'LessThanThreshold'
      ? value < alarm.Threshold
      : value >= alarm.Threshold;
  };
  const evaluated = periods.slice(-alarm.EvaluationPeriods);
  const needed = alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods;
  return evaluated.filter(breaches).length >= needed;
};

/** The metric of an alarm, in either notation of the template. */
export const watchedBy = (alarm: AlarmProperties) => {
  const stat = alarm.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat;
  const { Namespace, MetricName, Dimensions = [] } = stat?.Metric ?? alarm;
  return {
    metric: `${Namespace} ${MetricName}`,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
    statistic: stat?.Stat ?? alarm.Statistic,
    seconds: stat?.Period ?? alarm.Period ?? 0,
    expression: alarm.Metrics?.find(({ Expression }) => Expression)?.Expression,
  };
};
