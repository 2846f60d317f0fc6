import { expect } from 'vitest';

/** What makes a log line a measurement by these fields, in CloudWatch's embedded metric format. */
export const measured = (by: string[][], counts: Record<string, number>) => ({
  ...counts,
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: Object.keys(counts).map((Name) => ({
      Namespace: 'Counted',
      Dimensions: by,
      Metrics: [{ Name, Unit: 'Count' }],
    })),
  },
});
