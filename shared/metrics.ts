/** Each metric costs money, so add one only for an alarm. Other counts are fields of the log lines. */
export type MetricName = 'ThrottledRequests' | 'UnreadableClients' | 'WrongCredentials';

export type Counts = Partial<Record<MetricName, number>>;

const metricDimensions: Readonly<Record<MetricName, readonly (readonly 'operation'[])[]>> = {
  ThrottledRequests: [['operation']],
  UnreadableClients: [[]],
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
