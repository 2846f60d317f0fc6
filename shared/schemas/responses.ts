import * as v from 'valibot';
import { MAX_BATCH_ENTRIES, MAX_LISTED_ERRORS } from '../limits.ts';
import { Timestamp } from './change.ts';

// The functions import only the types, so no bundle contains these schemas.

export const ChangeResponse = v.strictObject({ Timestamp });
export type ChangeResponse = v.InferOutput<typeof ChangeResponse>;

/** A row of a list, as JSON. */
export type ListRow = { [name: string]: unknown };

export const SnapshotResponse = v.strictObject({
  SnapshotId: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z-[0-9a-f]{12}$/)),
  ReceivedAt: v.pipe(v.string(), v.isoTimestamp()),
  EntryCount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_BATCH_ENTRIES)),
});
export type SnapshotResponse = v.InferOutput<typeof SnapshotResponse>;

export const ErrorEntry = v.strictObject({ detail: v.string(), pointer: v.string() });

/** Only the response to a refused request body has `errors`. The gateway's default responses serve several statuses, so they have no title and no status. */
export const ProblemResponse = v.strictObject({
  type: v.literal('about:blank'),
  title: v.exactOptional(v.string()),
  status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  detail: v.string(),
  requestId: v.string(),
  errorCount: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  errors: v.exactOptional(v.pipe(v.array(ErrorEntry), v.minLength(1), v.maxLength(MAX_LISTED_ERRORS))),
});
export type ProblemResponse = v.InferOutput<typeof ProblemResponse>;
