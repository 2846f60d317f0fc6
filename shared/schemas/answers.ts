import * as v from 'valibot';
import { Timestamp } from './change.ts';
import { MAX_BATCH_ENTRIES, MAX_LISTED_FAULTS } from './limits.ts';

// The functions import only the types, so no bundle contains these schemas.

export const ChangeAnswer = v.strictObject({ Timestamp });
export type ChangeAnswer = v.InferOutput<typeof ChangeAnswer>;

/** A row of a list, as JSON. */
export type CatalogRow = { [name: string]: unknown };

export const SnapshotAnswer = v.strictObject({
  SnapshotId: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z-[0-9a-f]{12}$/)),
  ReceivedAt: v.pipe(v.string(), v.isoTimestamp()),
  EntryCount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_BATCH_ENTRIES)),
});
export type SnapshotAnswer = v.InferOutput<typeof SnapshotAnswer>;

export const FaultAnswer = v.strictObject({ detail: v.string(), pointer: v.string() });

/** Only a refused body has errors. One gateway response is used for several statuses, so it has no title and no status. */
export const ProblemAnswer = v.strictObject({
  type: v.literal('about:blank'),
  title: v.exactOptional(v.string()),
  status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  detail: v.string(),
  requestId: v.string(),
  errorCount: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  errors: v.exactOptional(v.pipe(v.array(FaultAnswer), v.minLength(1), v.maxLength(MAX_LISTED_FAULTS))),
});
export type ProblemAnswer = v.InferOutput<typeof ProblemAnswer>;
