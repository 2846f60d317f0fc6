import { tableName } from '../shared/environment.ts';
import { Change } from '../shared/schemas/change.ts';
import type { ChangeResponse } from '../shared/schemas/responses.ts';
import { type ChangeWriter, changeWriter } from '../shared/storage/change-writer.ts';
import { apiHandler, ok } from './http/api-handler.ts';
import { storageClient } from './storage/storage-client.ts';

type Deps = { changes: ChangeWriter; now: () => Date };

export const createHandler = ({ changes, now }: Deps) =>
  apiHandler(Change, async ({ body, client, requestId, signal }) => {
    const change = { client, timestamp: body.Timestamp, receivedAt: now().toISOString(), requestId };
    await changes.keep(change, signal);
    return ok({ Timestamp: body.Timestamp } satisfies ChangeResponse);
  });

export const handler = createHandler({
  changes: changeWriter(storageClient(), tableName('ChangeTimestamps')),
  now: () => new Date(),
});
