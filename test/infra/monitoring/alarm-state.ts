/** The properties of an alarm that decide what it watches and when it goes off. */
export type AlarmProperties = {
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
  TreatMissingData: 'breaching' | 'notBreaching';
};

type MetricStat = { Metric: MetricProperties; Period: number; Stat: string };
type MetricProperties = Required<Pick<AlarmProperties, 'Namespace' | 'MetricName' | 'Dimensions'>>;

/** When an alarm goes off: at which values, in how many of its periods, and what a period without data means. */
export const conditionOf = (alarm: AlarmProperties) => {
  const { ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData } = alarm;
  const needed = alarm.DatapointsToAlarm ?? EvaluationPeriods;
  return `${ComparisonOperator} ${Threshold} in ${needed} of ${EvaluationPeriods}, ${TreatMissingData}`;
};

const QUERY =
  /^SELECT SUM\((?<metric>\w+)\) FROM SCHEMA\("(?<namespace>[^"]+)", client\)( WHERE (?<where>.+))? GROUP BY client ORDER BY SUM\(\) DESC$/;

const queryOf = ({ Metrics: [query, ...others] = [] }: AlarmProperties) => {
  const { groups } = QUERY.exec(query?.Expression ?? '') ?? {};
  return groups && query && others.length === 0 ? { groups, seconds: query.Period ?? 0 } : undefined;
};

/** The clients that a query for each client leaves out. */
export const leftOutBy = (alarm: AlarmProperties) =>
  [...(queryOf(alarm)?.groups['where'] ?? '').matchAll(/client != '([^']+)'/g)].map(([, client]) => client);

/** The metric of an alarm, in each notation of the template. */
export const watchedBy = (alarm: AlarmProperties) => {
  const query = queryOf(alarm);
  if (query) {
    const { groups, seconds } = query;
    const metric = `${groups['namespace']} ${groups['metric']}`;
    return { metric, dimensions: {}, statistic: 'Sum', seconds, expression: undefined };
  }
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
