import { randomUUID } from 'node:crypto';
import { createHandler } from '../../../../functions/post-material-stock-balance.ts';
import { required, variables } from '../../../../shared/environment.ts';
import { storeClient } from '../../../../shared/store/client.ts';
import { snapshotStore } from '../../../../shared/store/snapshots.ts';
import { connectEarly } from './connect-early.ts';

/** The function, which opens its connection to the table as soon as it has loaded. */
const client = storeClient();
connectEarly(client);

export const handler = createHandler({
  snapshots: snapshotStore(client, required(variables.balanceSnapshotsTable)),
  now: () => new Date(),
  unique: () => randomUUID().slice(-12),
});
