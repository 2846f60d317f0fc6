import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { Failure, WrongUsage } from '../cli/failure.ts';
import { readEnd, readPeriod } from '../cli/period.ts';
import { joinFirstNames } from '../cli/words.ts';
import { clientsOf } from '../clients/read-names.ts';
import { type Session, snapshotsOf } from '../deployment/session.ts';
import { mapConcurrently } from '../store/map-concurrently.ts';
import { compareBy, mergeNewestFirst } from '../store/order.ts';

type Options = { client?: string | undefined; until?: Date | undefined };

const stepsBack = new Map([
  ['latest', 0],
  ['previous', 1],
]);

const isId = (which: string) => !stepsBack.has(which) && readPeriod(which) === undefined;

/**
 * Finds a snapshot by its id, `latest`, `previous`, or a time, which means the latest one at that time. The previous one
 * has the same client as the latest.
 */
export const findSnapshot = async (
  session: Session,
  which: string,
  { client, until }: Options,
): Promise<Snapshot> => {
  const steps = stepsBack.get(which);
  if (until && steps === undefined) throw new WrongUsage('--at goes with `latest` and `previous` only.');
  const clients = await clientsOf(session, client);
  const time = readPeriod(which);
  const found = await (isId(which)
    ? readById(session, which, clients)
    : readNewest(session, { steps: steps ?? 0, until: time ? readEnd(time) : until }, clients));
  if (found) return found;
  const whose = joinFirstNames(clients);
  const wanted = time ? `of ${whose} at that time` : `${which} of ${whose}`;
  throw new Failure(`There is no snapshot ${wanted}. \`snapshots list\` shows all snapshots.`);
};

/** Finds two snapshots to compare. They can only have different clients if both are named by id. */
export const findPair = async (
  session: Session,
  [first, second]: [string, string],
  options: Options,
): Promise<[Snapshot, Snapshot]> => {
  if (isId(first) && !isId(second)) {
    const [after, before] = await findPair(session, [second, first], options);
    return [before, after];
  }
  const after = await findSnapshot(session, second, options);
  const before = await findSnapshot(
    session,
    first,
    isId(first) ? options : { ...options, client: after.client },
  );
  return [before, after];
};

const readById = async (session: Session, snapshotId: string, clients: readonly string[]) => {
  const reader = snapshotsOf(session);
  const found = await mapConcurrently(clients, (name) => reader.read(name, snapshotId));
  return found.find((snapshot) => snapshot !== undefined);
};

type Place = { steps: number; until: Date | undefined };

const readNewest = async (session: Session, { steps, until }: Place, clients: readonly string[]) => {
  const reader = snapshotsOf(session);
  const range = { until, newestFirst: true, pageSize: steps + 1 };
  const listNewest = (name: string) => {
    const headers = reader.listHeaders(name, range);
    return Array.fromAsync(mergeNewestFirst([headers], ({ snapshotId }) => snapshotId, range.pageSize));
  };
  const lists = (await mapConcurrently(clients, listNewest)).filter(([latest]) => latest !== undefined);
  const newest = lists.sort(compareBy(([latest]) => latest?.snapshotId ?? '')).at(-1);
  const header = newest?.[steps];
  return header && reader.read(header.client, header.snapshotId);
};
