import type { DatabaseSync } from 'node:sqlite';
import { lateFromOf } from '../../../shared/clients/lateness.ts';
import { stateOf } from '../../clients/state-of.ts';

/**
 * `late_from(item, last_batch_at)` and `state_of(item, late_from, at)`, for `item` of the table `client` and times in milliseconds. Nobody
 * can read the hours of silence of a damaged client, whose item is {}. Before a client was added, it has no state.
 */
export const addLateness = (db: DatabaseSync) => {
  db.function('late_from', { deterministic: true }, (item, lastBatchAt) => {
    const client = JSON.parse(String(item));
    return client.SilenceFrom ? (lateFromOf(client, Number(lastBatchAt)) ?? null) : null;
  });
  db.function('state_of', { deterministic: true }, (item, lateFrom, at) => {
    const client = JSON.parse(String(item));
    return Date.parse(client.CreatedAt) > Number(at) ? null : stateOf({ ...client, lateFrom }, Number(at));
  });
};
