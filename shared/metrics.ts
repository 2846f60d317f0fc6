import { required, variables } from './environment.ts';

/** What is counted by client, and what nobody who is a client has done. */
export type MetricName = 'Snapshots' | 'Entries' | 'Changes' | 'RefusedRequests' | 'WrongCredentials';

/** Fields of the same log line by whose values a metric is told apart. */
export type MetricDimension = 'client' | 'operation';

export type Counts = {
  by: readonly MetricDimension[];
  counts: Partial<Record<MetricName, number>>;
};

/**
 * CloudWatch's embedded metric format: the log line itself is the measurement, so that a request waits for no call.
 * A line without the field that a metric is told apart by would be counted nowhere, and stays as it is.
 */
export const embeddedMetrics = ({ by, counts }: Counts, line: object, now: Date) =>
  by.every((dimension) => dimension in line)
    ? {
        ...counts,
        _aws: {
          Timestamp: now.getTime(),
          CloudWatchMetrics: [
            {
              Namespace: required(variables.metricsNamespace),
              Dimensions: [by],
              Metrics: Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' })),
            },
          ],
        },
      }
    : {};
