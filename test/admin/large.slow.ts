import { expect, test } from 'vitest';
import { readRows } from '../../admin/lists/files/read-rows.ts';
import { entryOf } from '../support/batches.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch, putItems } from './tables.ts';

/** It took 77 s beside another test. Quadratic work would take hours. */
const LONGEST_MS = 600_000;

test(
  'findings are found in large lists and batches',
  async () => {
    const clients = ['north', 'south'];
    const { names, data } = await emptyDeployment({ clients });
    const codes = Array.from({ length: 50_000 }, (_, index) => ({ MaterialCode: { S: `Сталь-${index}/А` } }));
    await putItems(names.MaterialCodes, codes);
    const entries = codes.slice(0, 20_000).map((_, index) => entryOf(`Cталь-${index}/А`, 1, `unit ${index}`));
    for (const client of clients) await putBatch(names.BalanceSnapshots, client, new Date(), entries);
    const { stdout } = await adminHereOn(data, ['check', '--json']);
    const counts = new Map<string, number>();
    for (const { Kind, Count } of JSON.parse(stdout)) counts.set(Kind, (counts.get(Kind) ?? 0) + Count);
    expect(counts.get('unlisted-code')).toBe(40_000);
    expect(counts.get('no-balance')).toBe(50_000);
  },
  LONGEST_MS,
);

test('a CSV file is refused before its end, once it is far too long', async () => {
  const codes = Array.from({ length: 200_000 }, (_, index) => `${'x'.repeat(240)}-${index}`);
  const read = readRows(Buffer.from(['MaterialCode', ...codes].join('\n')), 'MaterialCodes', {});
  await expect(read).rejects.toThrow(
    /too long for the API: its first [\d,]+ rows need 25,\d+,\d+ bytes of a response.*About 23,\d+ such rows fit/,
  );
});
