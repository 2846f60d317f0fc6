import type { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { lateFromOf } from '../../shared/clients/lateness.ts';
import type { SlotHolder } from '../../shared/clients/new-client.ts';
import type { Session } from '../deployment/session.ts';
import { mapConcurrently } from '../storage/map-concurrently.ts';
import { readClientTable, readNewest } from './client-table.ts';
import { describeSlot } from './slots.ts';

/** Times are milliseconds. */
export type ClientStatus = ClientWithoutHashes & {
  /** The clients with the same slot. */
  sharedWith: string[];
  lastBatchAt: number | null;
  /** When the change with the latest timestamp (of the client's clock) was received. */
  lastChangeAt: number | null;
  /** The time from which the client is late. Null if nobody watches the client. */
  lateFrom: number | null;
};

/** `active` are all clients that are not removed. Only `statuses` and `batchDamages` are limited to the wanted clients. */
export const readStatuses = async (session: Session, isWanted: (client: ClientWithoutHashes) => boolean) => {
  const { clients, active, damagedNames } = await readClientTable(session);
  const bySlot = Map.groupBy(active, describeSlot);
  const wanted = clients.filter(isWanted);
  const batchDamages: string[] = [];
  const statuses = await mapConcurrently(wanted, async (client) => {
    const newest = await readNewest(session, client.Client);
    batchDamages.push(...newest.damages.map(({ message }) => message));
    return toStatus(client, newest, bySlot);
  });
  return { statuses, active, damagedNames, batchDamages };
};

const toStatus = (
  client: ClientWithoutHashes,
  { lastBatchAt, change }: Awaited<ReturnType<typeof readNewest>>,
  bySlot: ReadonlyMap<string, readonly SlotHolder[]>,
): ClientStatus => {
  const { Client: name, RemovedAt } = client;
  const holders = RemovedAt ? [] : (bySlot.get(describeSlot(client)) ?? []);
  return {
    ...client,
    sharedWith: holders.map(({ Client }) => Client).filter((holder) => holder !== name),
    lastBatchAt: lastBatchAt ?? null,
    lastChangeAt: change?.receivedAt ? Date.parse(change.receivedAt) : null,
    lateFrom: lateFromOf(client, lastBatchAt) ?? null,
  };
};
