import type { Deployment } from '../deployment.ts';

/** The properties of an alarm that decide what it watches and when it starts. */
type AlarmProperties = {
  AlarmDescription: string;
  AlarmActions: string[];
  OKActions?: string[];
  Namespace?: string;
  MetricName?: string;
  Dimensions?: { Name: string; Value: string }[];
  Metrics?: { Expression?: string; MetricStat?: MetricStat; Period?: number }[];
  Statistic?: string;
  Period?: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Threshold: number;
  ComparisonOperator: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold';
  TreatMissingData: 'breaching' | 'ignore' | 'notBreaching';
  WarmUpConfiguration?: {
    WarmUpPeriodDurationInMinutes: number;
    OnlyStartEvaluatingAfterWarmUpPeriodEnds: boolean;
  };
};

type MetricStat = { Metric: Metric; Period: number; Stat: string };
type Metric = Pick<AlarmProperties, 'Namespace' | 'MetricName' | 'Dimensions'>;

export const alarmsIn = ({ resources }: Deployment) => resources<AlarmProperties>('AWS::CloudWatch::Alarm');

/** The heading in the runbook. */
export const sectionOf = ({ AlarmDescription }: AlarmProperties) => AlarmDescription.split('#')[1] ?? '';

/**
 * When an alarm starts: at which values, in how many of its periods, what a period without data means, and how long a
 * new alarm waits.
 */
export const conditionOf = (alarm: AlarmProperties) => {
  const { ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData, WarmUpConfiguration } = alarm;
  const needed = alarm.DatapointsToAlarm ?? EvaluationPeriods;
  const wait = WarmUpConfiguration?.OnlyStartEvaluatingAfterWarmUpPeriodEnds
    ? `, after ${WarmUpConfiguration.WarmUpPeriodDurationInMinutes} minutes`
    : '';
  return `${ComparisonOperator} ${Threshold} in ${needed} of ${EvaluationPeriods}, ${TreatMissingData}${wait}`;
};

const QUERY = /^SELECT SUM\((\w+)\) FROM SCHEMA\("([^"]+)", client\) GROUP BY client ORDER BY SUM\(\) DESC$/;

/** The metrics of an alarm, in each notation of the template. */
export const watchedBy = (alarm: AlarmProperties) => {
  const { Metrics = [] } = alarm;
  const { Expression = '', Period } = Metrics.find((metric) => metric.Expression) ?? {};
  const [, queried, namespace] = QUERY.exec(Expression) ?? [];
  if (queried)
    return { metric: `${namespace} ${queried}`, dimensions: {}, how: 'Sum by client', seconds: Period };
  const stats = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  const metrics: Metric[] = stats.length > 0 ? stats.map(({ Metric }) => Metric) : [alarm];
  const dimensions = metrics.flatMap(({ Dimensions = [] }) => Dimensions);
  return {
    metric: metrics.map(({ Namespace, MetricName }) => `${Namespace} ${MetricName}`).join(),
    dimensions: Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value])),
    how: [stats[0]?.Stat ?? alarm.Statistic, Expression].filter(Boolean).join(' of '),
    seconds: stats[0]?.Period ?? alarm.Period,
  };
};
