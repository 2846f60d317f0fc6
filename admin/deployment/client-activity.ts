import type { ChangeRecord } from '../../shared/storage/change-store.ts';
import type { SnapshotHeader } from '../store/snapshot-reader.ts';
import type { DeployedClient } from './deployment.ts';
import { isLate } from './is-late.ts';
import { changesOf, type Session, sayDamage, snapshotsOf } from './session.ts';

export type ClientActivity = {
  lastBatch: SnapshotHeader | undefined;
  /** The change with the latest timestamp on the client's clock. */
  lastChange: ChangeRecord | undefined;
  isLate: boolean | undefined;
};

export const readActivity = async (session: Session, client: DeployedClient): Promise<ClientActivity> => {
  const newest = { newestFirst: true, pageSize: 1 };
  const [lastBatch, lastChange] = await Promise.all([
    readFirst(snapshotsOf(session).listHeaders(client.name, newest, sayDamage)),
    readFirst(changesOf(session).iterate(client.name, newest)),
  ]);
  const late = isLate(client.silenceHours, lastBatch?.receivedAt.getTime(), session.now.getTime());
  return { lastBatch, lastChange, isLate: late };
};

const readFirst = async <T>(list: AsyncIterable<T>) => {
  for await (const item of list) return item;
  return undefined;
};
