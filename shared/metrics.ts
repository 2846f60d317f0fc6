/** What an alarm watches. Everything else that is counted is in the fields of the log lines. */
export type MetricName = 'Snapshots' | 'ThrottledRequests' | 'WrongCredentials';

type MetricDimension = 'client' | 'operation';

export type Counts = Partial<Record<MetricName, number>>;

/** The sets of dimensions that each metric is counted by. They are fields of the same log line. */
export const metricDimensions: Readonly<Record<MetricName, readonly (readonly MetricDimension[])[]>> = {
  Snapshots: [['client']],
  ThrottledRequests: [['operation']],
  WrongCredentials: [[]],
};

/** CloudWatch's embedded metric format. */
export const embeddedMetrics = (namespace: string, counts: Counts, now: Date) => ({
  ...counts,
  _aws: {
    Timestamp: now.getTime(),
    CloudWatchMetrics: Object.entries(metricDimensions)
      .filter(([name]) => name in counts)
      .map(([Name, Dimensions]) => ({
        Namespace: namespace,
        Dimensions,
        Metrics: [{ Name, Unit: 'Count' }],
      })),
  },
});
