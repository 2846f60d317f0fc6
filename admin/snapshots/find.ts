import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { Failure } from '../cli/failure.ts';
import { clientsOf, type Session, snapshotsOf } from '../deployment/session.ts';
import { newestFirst } from './newest-first.ts';

/** How many back from the newest. */
const byWord: Record<string, number> = { latest: 0, previous: 1 };

/** By its id or by a word; the previous one is of the same client as the latest. */
export const findSnapshot = async (session: Session, which: string, client?: string): Promise<Snapshot> => {
  const back = Object.hasOwn(byWord, which) ? byWord[which] : undefined;
  const clients = await clientsOf(session, client);
  const found = await (back === undefined ? byId(session, which, clients) : newest(session, back, clients));
  if (!found) {
    const whose = clients.join(', ');
    throw new Failure(`There is no snapshot ${which} of ${whose}; \`snapshots list\` shows which there are.`);
  }
  return found;
};

const byId = async (session: Session, snapshotId: string, clients: readonly string[]) => {
  const reader = snapshotsOf(session);
  const found = await Promise.all(clients.map((name) => reader.read(name, snapshotId, session.now)));
  return found.find((snapshot) => snapshot !== undefined);
};

const newest = async (session: Session, back: number, clients: readonly string[]) => {
  const { now } = session;
  const reader = snapshotsOf(session);
  const heads = (name: string, count: number) =>
    reader.listHeaders(name, now, { newestFirst: true, pageSize: count });
  const lists = clients.map((name) => heads(name, 1));
  const [latest] = await Array.fromAsync(newestFirst(lists, ({ snapshotId }) => snapshotId, 1));
  if (!latest) return undefined;
  let index = 0;
  for await (const head of heads(latest.client, back + 1)) {
    if (index === back) return reader.read(head.client, head.snapshotId, now);
    index += 1;
  }
  return undefined;
};
