import { isRecord } from '../../shared/schemas/json.ts';
import { MAX_BATCH_ENTRIES } from '../../shared/schemas/limits.ts';
import { correct, type Fact } from '../fact.ts';
import { makeBatch } from '../facts/operations.ts';
import type { Client } from '../http/client.ts';

const PARTITIONS = 'test/support/fault-proxy.ts, where it simulates partitions';

const sendBatch = async (client: Client, body: string) => {
  const { status, json } = await client.post('post-material-stock-balance', body);
  return isRecord(json) && json['SnapshotId'] ? `${status} with a SnapshotId` : `${status}`;
};

/** What is stored. The first fact needs an empty table. */
export const writeFacts: readonly Fact[] = [
  {
    name: 'the largest batch on a fresh table',
    text: '200 with a SnapshotId',
    advise: correct(PARTITIONS),
    see: (client) => sendBatch(client, makeBatch(MAX_BATCH_ENTRIES, 'short')),
  },
  {
    name: 'a change that is sent twice',
    text: '200 200 with its Timestamp alone',
    advise: correct('functions/post-change.ts'),
    see: async (client) => {
      const body = JSON.stringify({ Timestamp: new Date().toISOString().replace('.', ',') });
      const responses = [await client.post('post-change', body), await client.post('post-change', body)];
      const isEcho = responses.every(({ json }) => JSON.stringify(json) === body);
      const statuses = responses.map(({ status }) => status).join(' ');
      return `${statuses} ${isEcho ? 'with its Timestamp alone' : 'with another body'}`;
    },
  },
  {
    name: 'five batches of 20,000 at once',
    text: 'five times 200 with a SnapshotId',
    advise: correct(PARTITIONS),
    see: async (client) => {
      const body = makeBatch(MAX_BATCH_ENTRIES / 2, 'short');
      const seen = await Promise.all(Array.from({ length: 5 }, () => sendBatch(client, body)));
      const [first, ...others] = new Set(seen);
      return others.length === 0 ? `five times ${first}` : seen.join(', ');
    },
  },
];
