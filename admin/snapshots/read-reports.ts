import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { withProgress } from '../cli/terminal.ts';
import { type Session, sayDamage, snapshotsOf } from '../deployment/session.ts';
import { mapConcurrently } from '../store/map-concurrently.ts';
import { compareBy } from '../store/order.ts';
import type { Range } from '../store/query-client.ts';
import type { BalanceReport } from '../store/snapshot-reader.ts';

/** Sorted by material, then by client. Reads all snapshots, because a snapshot need not contain every material. */
export const readNewestReports = (session: Session, clients: readonly string[], limits: Range) =>
  withProgress('Reading snapshots:', undefined, async (reach) => {
    const newest = new Map<string, BalanceReport>();
    await mapConcurrently(clients, async (name) => {
      const range = { ...limits, newestFirst: true };
      for await (const snapshot of snapshotsOf(session).iterate(name, range, sayDamage)) {
        keepFirst(newest, snapshot);
        reach();
      }
    });
    return [...newest.values()]
      .sort(compareBy(({ client }) => client))
      .sort(compareBy(({ MaterialCode }) => MaterialCode));
  });

const keepFirst = (
  newest: Map<string, BalanceReport>,
  { client, snapshotId, receivedAt, entries }: Snapshot,
) => {
  for (const entry of entries) {
    // The key is unique, because a code cannot contain a line break.
    const key = `${client}\n${entry.MaterialCode}`;
    if (!newest.has(key)) newest.set(key, { ...entry, client, snapshotId, receivedAt });
  }
};

/** All reports of one material, oldest first. */
export const readReports = (session: Session, code: string, clients: readonly string[], range: Range) =>
  withProgress('Reading clients:', clients.length, async (reach) => {
    const reader = snapshotsOf(session);
    const lists = await mapConcurrently(clients, async (name) => {
      const reports = await reader.readReports(name, code, range, sayDamage);
      reach();
      return reports;
    });
    return lists.flat().sort(compareBy(({ snapshotId }) => snapshotId));
  });
