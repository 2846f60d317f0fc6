export type MetricName =
  | 'Snapshots'
  | 'Entries'
  | 'Changes'
  | 'RefusedRequests'
  | 'ThrottledRequests'
  | 'WrongCredentials';

type MetricDimension = 'client' | 'operation';

export type Counts = Partial<Record<MetricName, number>>;

/** The sets of dimensions that each metric is counted by. Wrong credentials have no client if the user is unknown. */
export const metricDimensions: Readonly<Record<MetricName, readonly (readonly MetricDimension[])[]>> = {
  Snapshots: [['client']],
  Entries: [['client']],
  Changes: [['client']],
  RefusedRequests: [['client', 'operation']],
  ThrottledRequests: [['operation']],
  WrongCredentials: [[], ['client']],
};

/** CloudWatch's embedded metric format. CloudWatch drops a metric that names a dimension the log line lacks. */
export const embeddedMetrics = (namespace: string, counts: Counts, line: object, now: Date) => {
  const CloudWatchMetrics = Object.entries(metricDimensions)
    .filter(([name]) => name in counts)
    .map(([Name, dimensions]) => ({
      Namespace: namespace,
      Dimensions: dimensions.filter((fields) => fields.every((field) => field in line)),
      Metrics: [{ Name, Unit: 'Count' }],
    }))
    .filter(({ Dimensions }) => Dimensions.length > 0);
  return CloudWatchMetrics.length === 0
    ? {}
    : { ...counts, _aws: { Timestamp: now.getTime(), CloudWatchMetrics } };
};
