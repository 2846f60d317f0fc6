import { HOUR_MS } from '../../../shared/time.ts';

/** The milliseconds of an instant in the item of a client. */
export const instantOf = (text: string) => `CAST(round(unixepoch(${text}, 'subsec') * 1000) AS INTEGER)`;

/** `lateFrom` of shared/clients/lateness.ts in SQL, for a row of the table `client`. */
export const lateFrom = (lastBatchAt: string) => `
  CASE WHEN item ->> 'SilenceHours' > 0 AND item ->> 'LockedAt' IS NULL AND item ->> 'RemovedAt' IS NULL
  THEN max(${lastBatchAt}, ${instantOf(`item ->> 'SilenceFrom'`)})
    + (item ->> 'SilenceHours') * ${HOUR_MS} END`;

/** `stateOf` of admin/clients/client-status.ts in SQL, for a row of the table `client` and its time from `lateFrom`. */
export const stateOf = (lateFrom: string, at: string) => `
  CASE WHEN item ->> 'RemovedAt' IS NOT NULL THEN 'removed' WHEN item ->> 'LockedAt' IS NOT NULL THEN 'locked'
  WHEN ${lateFrom} IS NULL THEN 'unwatched' WHEN ${lateFrom} <= ${at} THEN 'late' ELSE 'on time' END`;

/** Whether a client should have sent its first batch until a moment. A client without a legible item may send batches. */
export const isAwaited = (at: string) => `ifnull(${lateFrom('0')} <= ${at}, item ->> 'SilenceFrom' IS NULL)`;
