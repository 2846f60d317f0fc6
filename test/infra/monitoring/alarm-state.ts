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

// The periods are oldest first. CloudWatch evaluates a few more periods, so an alarm about silence, or the end of an
// alarm, can come later, but never earlier.
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

const QUERY =
  /^SELECT SUM\((?<metric>\w+)\) FROM SCHEMA\("(?<namespace>[^"]+)", client\)( WHERE (?<where>.+))? GROUP BY client ORDER BY SUM\(\) DESC$/;

const queryOf = ({ Metrics: [query, ...others] = [] }: AlarmProperties) => {
  const { groups } = QUERY.exec(query?.Expression ?? '') ?? {};
  return groups && query && others.length === 0 ? { groups, seconds: query.Period ?? 0 } : undefined;
};

// Each client is a series that is evaluated on its own. The query does not return a series without data in these
// periods, so that series is OK for every value of TreatMissingData.
export const contributorsOf = (alarm: AlarmProperties, series: Record<string, (number | undefined)[]>) => {
  const where = queryOf(alarm)?.groups['where'] ?? '';
  const leftOut = [...where.matchAll(/client != '([^']+)'/g)].map(([, client]) => client);
  return Object.entries(series)
    .filter(([client]) => !leftOut.includes(client))
    .filter(([, periods]) => periods.slice(-alarm.EvaluationPeriods).some((value) => value !== undefined))
    .filter(([, periods]) => goesOff(alarm, periods))
    .map(([client]) => client);
};

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
