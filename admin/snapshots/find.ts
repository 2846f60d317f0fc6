import type { Snapshot } from '../../shared/snapshot.ts';
import { Failure } from '../failure.ts';
import { newestFirst } from '../newest-first.ts';
import { clientsOf, type Session, snapshotsOf } from '../session.ts';

/** How many back from the newest. */
const byWord: Record<string, number> = { latest: 0, previous: 1 };

/** By its id or by a word; the previous one is of the same client as the latest. Its entries are in the order of the codes. */
export const findSnapshot = async (session: Session, which: string, client?: string): Promise<Snapshot> => {
  const back = Object.hasOwn(byWord, which) ? byWord[which] : undefined;
  const found = back === undefined ? await byId(session, which, client) : await newest(session, back, client);
  if (!found) {
    const whose = clientsOf(session, client).join(', ');
    throw new Failure(`There is no snapshot ${which} of ${whose}; \`snapshots list\` shows which there are.`);
  }
  return { ...found, entries: found.entries.toSorted(byCode) };
};

const byCode = (a: { MaterialCode: string }, b: { MaterialCode: string }) =>
  a.MaterialCode < b.MaterialCode ? -1 : 1;

const byId = async (session: Session, snapshotId: string, client?: string) => {
  const reader = snapshotsOf(session);
  const found = await Promise.all(
    clientsOf(session, client).map((name) => reader.read(name, snapshotId, session.now)),
  );
  return found.find((snapshot) => snapshot !== undefined);
};

const newest = async (session: Session, back: number, client?: string) => {
  const { now } = session;
  const reader = snapshotsOf(session);
  const heads = (name: string, count: number) =>
    reader.heads(name, now, { newestFirst: true, pageSize: count });
  const lists = clientsOf(session, client).map((name) => heads(name, 1));
  const [latest] = await Array.fromAsync(newestFirst(lists, ({ snapshotId }) => snapshotId, 1));
  if (!latest) return undefined;
  let index = 0;
  for await (const head of heads(latest.client, back + 1)) {
    if (index === back) return reader.read(head.client, head.snapshotId, now);
    index += 1;
  }
  return undefined;
};
