import { tableName } from '../shared/environment.ts';
import type { ChangeAnswer } from '../shared/schemas/answers.ts';
import { Change } from '../shared/schemas/change.ts';
import { type ChangeStore, changeStore } from '../shared/storage/change-store.ts';
import { apiHandler, ok } from './http/api-handler.ts';
import { storeClient } from './store/store-client.ts';

type Deps = { changes: ChangeStore; now: () => Date };

export const createHandler = ({ changes, now }: Deps) =>
  apiHandler(Change, async ({ body, client, requestId, signal }) => {
    const change = { client, timestamp: body.Timestamp, receivedAt: now().toISOString(), requestId };
    await changes.record(change, signal);
    return ok({ Timestamp: body.Timestamp } satisfies ChangeAnswer);
  });

export const handler = createHandler({
  changes: changeStore(storeClient(), tableName('ChangeTimestamps')),
  now: () => new Date(),
});
