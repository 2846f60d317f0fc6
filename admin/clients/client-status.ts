import type { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { lateFromOf } from '../../shared/clients/lateness.ts';
import type { SlotHolder } from '../../shared/clients/new-client.ts';
import type { Session } from '../deployment/session.ts';
import { mapConcurrently } from '../storage/map-concurrently.ts';
import { validUntil } from './client-changes.ts';
import { readClientTable, readNewest } from './client-table.ts';
import { describeSlot } from './slots.ts';
import { stateOf } from './state-of.ts';

export type ClientStatus = ReturnType<typeof toStatus>;

/** `active` are all clients that are not removed. Only `statuses` and `batchDamages` are limited to the wanted clients. */
export const readStatuses = async (session: Session, isWanted: (client: ClientWithoutHashes) => boolean) => {
  const { clients, active, damagedNames } = await readClientTable(session);
  const bySlot = Map.groupBy(active, describeSlot);
  const wanted = clients.filter(isWanted);
  const batchDamages: string[] = [];
  const statuses = await mapConcurrently(wanted, async (client) => {
    const newest = await readNewest(session, client.Client);
    batchDamages.push(...newest.damages.map(({ message }) => message));
    return toStatus(client, newest, bySlot, session.now);
  });
  return { statuses, active, damagedNames, batchDamages };
};

const toStatus = (
  client: ClientWithoutHashes,
  { lastBatchAt, change }: Awaited<ReturnType<typeof readNewest>>,
  bySlot: ReadonlyMap<string, readonly SlotHolder[]>,
  now: Date,
) => {
  const { PreviousUntil, FormerSilence, ...shown } = client;
  const holders = client.RemovedAt ? [] : (bySlot.get(describeSlot(client)) ?? []);
  const lateFrom = lateFromOf(client, lastBatchAt) ?? null;
  return {
    ...shown,
    PreviousUntil: validUntil(PreviousUntil, now),
    /** The other clients with the same slot. */
    SharedWith: holders.map(({ Client }) => Client).filter((holder) => holder !== client.Client),
    LastBatchAt: lastBatchAt === undefined ? null : new Date(lastBatchAt),
    /** When the change with the latest timestamp (of the client's clock) was received. */
    LastChangeAt: change?.receivedAt ? new Date(change.receivedAt) : null,
    /** Null if nobody watches the client. */
    LateFrom: lateFrom === null ? null : new Date(lateFrom),
    State: stateOf({ ...client, lateFrom }, now.getTime()),
  };
};
