import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRows } from '../../admin/lists/files/read-rows.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

// Quadratic work would take longer than a test may.
test('findings are found in large lists and batches', async () => {
  const clients = ['north', 'south'];
  const { names, data } = await emptyDeployment({ clients });
  const codes = Array.from({ length: 90_000 }, (_, index) => ({ MaterialCode: `Сталь-${index}/А` }));
  const file = join(temporaryFolder(), 'codes.json');
  writeFileSync(file, JSON.stringify(codes));
  // So the history has many lines, too.
  expect(await adminHereOn(data, ['codes', 'import', file])).toMatchObject({ code: 0 });
  const entries = codes.slice(0, 40_000).map((_, index) => entryOf(`Cталь-${index}/А`, 1, `unit ${index}`));
  for (const client of clients) await putBatch(names.BalanceSnapshots, client, new Date(), entries);
  const { stdout } = await adminHereOn(data, ['check', '--json']);
  const counts = new Map<string, number>();
  for (const { Kind, Count } of JSON.parse(stdout)) counts.set(Kind, (counts.get(Kind) ?? 0) + Count);
  expect(counts.get('unlisted-code')).toBe(80_000);
  expect(counts.get('no-balance')).toBe(90_000);
});

test('a CSV file is refused before its end, once it is far too long', async () => {
  const codes = Array.from({ length: 200_000 }, (_, index) => `${'x'.repeat(240)}-${index}`);
  const read = readRows(Buffer.from(['MaterialCode', ...codes].join('\n')), 'MaterialCodes', {});
  await expect(read).rejects.toThrow(
    /too long for the API: its first [\d\u202f]+ rows need 25\u202f\d+\u202f\d+ bytes of a response.*About 23\u202f\d+ such rows fit/,
  );
});
