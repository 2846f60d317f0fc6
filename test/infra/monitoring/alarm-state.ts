/** An alarm of the template, as far as it decides what it makes of measurements. */
export type AlarmProperties = {
  AlarmDescription: string;
  AlarmActions: string[];
  OKActions: string[];
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
 * Whether it goes off after these periods, the latest of which is the last. CloudWatch looks back a little further than
 * this, which makes an alarm that nothing came, and the end of any, later and never earlier.
 */
export const goesOff = (alarm: AlarmProperties, periods: (number | undefined)[]) => {
  const breaches = (value: number | undefined) => {
    if (value === undefined) return alarm.TreatMissingData === 'breaching';
    return alarm.ComparisonOperator === 'LessThanThreshold'
      ? value < alarm.Threshold
      : value >= alarm.Threshold;
  };
  const looked = periods.slice(-alarm.EvaluationPeriods);
  const needed = alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods;
  return looked.filter(breaches).length >= needed;
};

/** What an alarm looks at, whichever way the template writes it. */
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
