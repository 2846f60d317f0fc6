import type { DatabaseSync } from 'node:sqlite';
import { lateFromOf } from '../../../shared/clients/lateness.ts';
import { stateOf } from '../../clients/state-of.ts';

/**
 * `late_from(item, last_batch_at)` and `state_of(item, late_from, at)`, for `item` of the table `client` and times in milliseconds. Nobody
 * can read the hours of silence of a damaged client, whose item is {}.
 */
export const addLateness = (db: DatabaseSync) => {
  db.function('late_from', { deterministic: true }, (item, lastBatchAt) => {
    const client = JSON.parse(String(item));
    return client.SilenceFrom ? (lateFromOf(client, Number(lastBatchAt)) ?? null) : null;
  });
  db.function('state_of', { deterministic: true }, (item, lateFrom, at) =>
    stateOf({ ...JSON.parse(String(item)), lateFrom }, Number(at)),
  );
};

/** Whether a client without any batch is late at a moment. True for a damaged client. */
export const isLateWithoutBatch = (at: string) =>
  `ifnull(late_from(item, 0) <= ${at}, item ->> 'SilenceFrom' IS NULL)`;
