import { tableName } from '../shared/environment.ts';
import type { ChangeAnswer } from '../shared/schemas/answers.ts';
import { Change } from '../shared/schemas/change.ts';
import { type Changes, changeStore } from '../shared/storage/change-store.ts';
import { apiHandler, ok } from './http/api-handler.ts';
import { storeClient } from './store/store-client.ts';

type Deps = { changes: Changes; now: () => Date };

export const createHandler = ({ changes, now }: Deps) =>
  apiHandler(Change).handler(async ({ body, client, requestId, signal }) => {
    const change = { client, timestamp: body.Timestamp, receivedAt: now().toISOString(), requestId };
    await changes.record(change, signal);
    return ok({ Timestamp: body.Timestamp } satisfies ChangeAnswer);
  });

export const handler = createHandler({
  changes: changeStore(storeClient(), tableName('ChangeTimestamps')),
  now: () => new Date(),
});
