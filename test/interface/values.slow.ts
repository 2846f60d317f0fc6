import { test } from 'vitest';
import { batchOf, storedBatch } from '../support/batches.ts';
import type { Answer } from '../support/http-client.ts';
import { useService } from './service.ts';

const service = useService();
const batch = batchOf(40_000);

/** On a busy machine, the service may give up. A client then sends the same batch again. */
const postUntilStored = async (): Promise<Answer> => {
  const answer = await service().post('material-stock-balance', batch);
  return answer.status === 503 ? postUntilStored() : answer;
};

test('a batch is stored whole with 40,000 entries', async () => {
  await service().expectBatch(await postUntilStored(), storedBatch(batch));
});
