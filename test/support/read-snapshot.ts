import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { snapshotReader } from '../../admin/storage/snapshot-reader.ts';

/** Reads one snapshot with the reader of the project. Throws if it is damaged. Undefined if no reader can see it. */
export const readSnapshot = async (
  dynamodb: DynamoDBClient,
  [table, client, id]: readonly [table: string, client: string, id: string],
  now = new Date(),
) => {
  const pages = snapshotReader(dynamodb, table, now).readPages(client, {});
  const all = await Array.fromAsync(pages);
  const found = all.flatMap(({ snapshots }) => snapshots).find(({ snapshotId }) => snapshotId === id);
  if (found && found.damage !== null) throw new Error(found.damage);
  return found;
};
