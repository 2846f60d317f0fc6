import { expect } from 'vitest';

/** What makes a log line a measurement, in CloudWatch's embedded metric format. */
export const measured = (by: string[], counts: Record<string, number>) => ({
  ...counts,
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'Counted',
        Dimensions: [by],
        Metrics: Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' })),
      },
    ],
  },
});
