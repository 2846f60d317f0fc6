import type { ChangeRecord } from '../../shared/storage/change-store.ts';
import { HOUR_MS } from '../cli/time.ts';
import type { SnapshotHeader } from '../store/snapshot-reader.ts';
import type { DeployedClient } from './deployment.ts';
import { changesOf, type Session, sayDamage, snapshotsOf } from './session.ts';

export type ClientActivity = {
  lastBatch: SnapshotHeader | undefined;
  /** The one with the latest timestamp, which is of the client's clock. */
  lastChange: ChangeRecord | undefined;
  isLate: boolean | undefined;
};

export const readActivity = async (session: Session, client: DeployedClient): Promise<ClientActivity> => {
  const newest = { newestFirst: true, pageSize: 1 };
  const [lastBatch, lastChange] = await Promise.all([
    readFirst(snapshotsOf(session).listHeaders(client.name, newest, sayDamage)),
    readFirst(changesOf(session).iterate(client.name, newest)),
  ]);
  return { lastBatch, lastChange, isLate: isLate(client, lastBatch?.receivedAt, session.now) };
};

const readFirst = async <T>(list: AsyncIterable<T>) => {
  for await (const item of list) return item;
  return undefined;
};

/**
 * Agrees with the alarm of silence, which looks at whole hours and so goes off within the next hour. Undefined where
 * the deployment does not say after how many hours a client is late.
 */
export const isLate = (
  { silenceHours }: Pick<DeployedClient, 'silenceHours'>,
  lastBatchAt: Date | undefined,
  now: Date,
) => {
  if (silenceHours === undefined) return undefined;
  if (silenceHours === 0) return false;
  return lastBatchAt === undefined || now.getTime() - lastBatchAt.getTime() >= silenceHours * HOUR_MS;
};
