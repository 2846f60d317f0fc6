/** An alarm of the template, as far as it decides what it makes of measurements. */
export type AlarmProperties = {
  AlarmDescription: string;
  AlarmActions: string[];
  OKActions: string[];
  Namespace?: string;
  MetricName?: string;
  Dimensions?: { Name: string; Value: string }[];
  Metrics?: { MetricStat: { Metric: MetricProperties; Period: number; Stat: string } }[];
  Statistic?: string;
  Period?: number;
  EvaluationPeriods: number;
  Threshold: number;
  ComparisonOperator: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold';
  TreatMissingData: 'breaching' | 'notBreaching';
};

type MetricProperties = Required<Pick<AlarmProperties, 'Namespace' | 'MetricName' | 'Dimensions'>>;

/** CloudWatch's rule where all periods have to breach: nothing measured counts as the alarm says. */
export const goesOff = (alarm: AlarmProperties, periods: (number | undefined)[]) => {
  const breaches = (value: number | undefined) => {
    if (value === undefined) return alarm.TreatMissingData === 'breaching';
    return alarm.ComparisonOperator === 'LessThanThreshold'
      ? value < alarm.Threshold
      : value >= alarm.Threshold;
  };
  const looked = periods.slice(-alarm.EvaluationPeriods);
  return looked.length === alarm.EvaluationPeriods && looked.every(breaches);
};

/** What an alarm looks at, whichever way the template writes it. */
export const watchedBy = (alarm: AlarmProperties) => {
  const [query] = alarm.Metrics ?? [];
  const { Namespace, MetricName, Dimensions = [] } = query?.MetricStat.Metric ?? alarm;
  return {
    metric: `${Namespace} ${MetricName}`,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
    statistic: query?.MetricStat.Stat ?? alarm.Statistic,
    seconds: query?.MetricStat.Period ?? alarm.Period ?? 0,
  };
};
