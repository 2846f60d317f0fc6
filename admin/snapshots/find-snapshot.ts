import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { Failure } from '../cli/failure.ts';
import { clientsOf, type Session, snapshotsOf } from '../deployment/session.ts';
import { compareBy, mergeNewestFirst } from '../store/order.ts';

const stepsBack = new Map([
  ['latest', 0],
  ['previous', 1],
]);

/** Finds a snapshot by its id, `latest` or `previous`. The previous one has the same client as the latest. */
export const findSnapshot = async (session: Session, which: string, client?: string): Promise<Snapshot> => {
  const clients = await clientsOf(session, client);
  const steps = stepsBack.get(which);
  const found = await (steps === undefined
    ? readById(session, which, clients)
    : readNewest(session, steps, clients));
  if (found) return found;
  const whose = clients.join(', ');
  throw new Failure(`There is no snapshot ${which} of ${whose}; \`snapshots list\` shows which there are.`);
};

const readById = async (session: Session, snapshotId: string, clients: readonly string[]) => {
  const reader = snapshotsOf(session);
  const found = await Promise.all(clients.map((name) => reader.read(name, snapshotId)));
  return found.find((snapshot) => snapshot !== undefined);
};

const readNewest = async (session: Session, steps: number, clients: readonly string[]) => {
  const reader = snapshotsOf(session);
  const range = { newestFirst: true, pageSize: steps + 1 };
  const listNewest = (name: string) => {
    const headers = reader.listHeaders(name, range);
    return Array.fromAsync(mergeNewestFirst([headers], ({ snapshotId }) => snapshotId, range.pageSize));
  };
  const lists = (await Promise.all(clients.map(listNewest))).filter(([latest]) => latest !== undefined);
  const newest = lists.sort(compareBy(([latest]) => latest?.snapshotId ?? '')).at(-1);
  const header = newest?.[steps];
  return header && reader.read(header.client, header.snapshotId);
};
