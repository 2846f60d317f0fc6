export type MetricName = 'Snapshots' | 'Entries' | 'Changes' | 'RefusedRequests' | 'WrongCredentials';

/** Fields of a log line by whose values a metric is told apart. */
type MetricDimension = 'client' | 'operation';

export type Counts = Partial<Record<MetricName, number>>;

/** By which fields each is counted. Whose password was wrong is known only where the user name is somebody's. */
export const countedBy: Readonly<Record<MetricName, readonly (readonly MetricDimension[])[]>> = {
  Snapshots: [['client']],
  Entries: [['client']],
  Changes: [['client']],
  RefusedRequests: [['client', 'operation']],
  WrongCredentials: [[], ['client']],
};

/**
 * CloudWatch's embedded metric format: the log line itself is the measurement, so that a request waits for no call.
 * A metric is not counted by a field that the line lacks, since CloudWatch would then not count it at all.
 */
export const embeddedMetrics = (namespace: string, counts: Counts, line: object, now: Date) => {
  const CloudWatchMetrics = Object.entries(countedBy)
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
