import type { ChangeAnswer } from '../shared/answers.ts';
import { apiHandler, ok } from '../shared/api-handler.ts';
import { Change } from '../shared/change.ts';
import { required, variables } from '../shared/environment.ts';
import { type Changes, changeStore } from '../shared/store/changes.ts';
import { storeClient } from '../shared/store/client.ts';

type Deps = { changes: Changes; now: () => Date };

export const createHandler = ({ changes, now }: Deps) =>
  apiHandler({ body: Change }).handler(async ({ body, client, requestId, signal }) => {
    const change = { client, timestamp: body.Timestamp, receivedAt: now().toISOString(), requestId };
    await changes.record(change, signal);
    return ok({ Timestamp: body.Timestamp } satisfies ChangeAnswer, { counts: { Changes: 1 } });
  });

export const handler = createHandler({
  changes: changeStore(storeClient(), required(variables.changeTimestampsTable)),
  now: () => new Date(),
});
