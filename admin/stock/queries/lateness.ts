import { HOUR_MS } from '../../../shared/time.ts';

/** As `lateFrom` in shared/clients/lateness.ts, of a row of the table `client`. */
export const lateFrom = (lastBatchAt: string) => `
  CASE WHEN item ->> 'SilenceHours' > 0 AND item ->> 'LockedAt' IS NULL AND item ->> 'RemovedAt' IS NULL
  THEN max(${lastBatchAt}, CAST(round(unixepoch(item ->> 'SilenceFrom', 'subsec') * 1000) AS INTEGER))
    + (item ->> 'SilenceHours') * ${HOUR_MS} END`;

/** Whether a client should have sent its first batch until a moment. One without a legible item may send. */
export const isAwaited = (at: string) => `ifnull(${lateFrom('0')} <= ${at}, item ->> 'SilenceFrom' IS NULL)`;
