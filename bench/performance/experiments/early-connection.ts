import { randomUUID } from 'node:crypto';
import { createHandler } from '../../../functions/post-material-stock-balance.ts';
import { storeClient } from '../../../functions/store/client.ts';
import { required } from '../../../shared/environment.ts';
import { snapshotStore } from '../../../shared/storage/snapshot-store.ts';
import { connectEarly } from './connect-early.ts';

/** The function, which opens its connection to the table as soon as it has loaded. */
const client = storeClient();
connectEarly(client);

export const handler = createHandler({
  snapshots: snapshotStore(client, required('BALANCE_SNAPSHOTS_TABLE')),
  now: () => new Date(),
  unique: () => randomUUID().slice(-12),
});
