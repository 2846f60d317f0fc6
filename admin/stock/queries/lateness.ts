import { HOUR_MS } from '../../../shared/time.ts';
import { millisecondsOf } from './columns.ts';

/** `lateFromOf` of shared/clients/lateness.ts in SQL, for a row of the table `client`. Silence before `SilenceFrom` does not count. */
export const lateFromOf = (lastBatchAt: string) => `
  CASE WHEN item ->> 'SilenceHours' > 0 AND item ->> 'LockedAt' IS NULL AND item ->> 'RemovedAt' IS NULL
  THEN max(${lastBatchAt}, ${millisecondsOf(`item ->> 'SilenceFrom'`)})
    + (item ->> 'SilenceHours') * ${HOUR_MS} END`;

/** `stateOf` of admin/clients/client-status.ts in SQL, for a row of the table `client`. */
export const stateOf = (lateFrom: string, at: string) => `
  CASE WHEN item ->> 'RemovedAt' IS NOT NULL THEN 'removed' WHEN item ->> 'LockedAt' IS NOT NULL THEN 'locked'
  WHEN ${lateFrom} IS NULL THEN 'unwatched' WHEN ${lateFrom} <= ${at} THEN 'late' ELSE 'on time' END`;

/** Whether a client without any batch is late at a moment. True for a damaged item: nobody can read its hours of silence. */
export const isLateWithoutBatch = (at: string) =>
  `ifnull(${lateFromOf('0')} <= ${at}, item ->> 'SilenceFrom' IS NULL)`;
