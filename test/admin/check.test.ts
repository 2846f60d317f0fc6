import { expect, onTestFinished, test } from 'vitest';
import { entryOf } from '../support/batches.ts';
import { startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

/** As docs/admin.md says. */
const MOST_OF_A_KIND = 10_000;
/** Those of `south` come after all others. */
const codesOf = (client: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    entryOf(`${client === 'south' ? 'S' : 'M'}${10_000 + index}`, 1),
  );
const deployment = async (counts: Record<string, number>) => {
  const { names, data } = await emptyDeployment({ clients: Object.keys(counts) });
  for (const [client, count] of Object.entries(counts))
    await putBatch(names.BalanceSnapshots, client, new Date(), codesOf(client, count));
  return (...line: string[]) => adminHereOn(data, ['check', ...line]);
};

test('ten findings of a kind are a line each, and eleven are one line', async () => {
  const check = await deployment({ ten: 10, eleven: 11 });
  const linesOf = async (...line: string[]) => (await check(...line)).stdout.trimEnd().split('\n').slice(2);
  expect(await linesOf('--client', 'ten')).toHaveLength(10);
  expect(await linesOf('--client', 'eleven')).toEqual([
    expect.stringMatching(/unlisted code +eleven +11 findings +M10000, .* and 6 more: codes that/),
  ]);
  expect(await linesOf('--client', 'eleven', '--all')).toHaveLength(11);
  expect(await linesOf('--client', 'eleven', '--kind', 'unlisted-code')).toHaveLength(11);
  const others = await check('--client', 'eleven', '--kind', 'no-balance', '--strict');
  expect(others).toMatchObject({ code: 0, stderr: 'Nothing was found.\n' });
});

test('of too many findings the first of each warehouse are shown, and the others are counted', async () => {
  const check = await deployment({ north: MOST_OF_A_KIND / 2 + 1_007, south: 2, west: MOST_OF_A_KIND / 2 });
  const found = JSON.parse((await check('--json')).stdout);
  expect(found).toHaveLength(MOST_OF_A_KIND + 2);
  expect(found.filter(({ Client }: { Client: string }) => Client === 'south')).toHaveLength(2);
  const others = (Client: string, Count: number, count: string) => ({
    ...{ Client, Subject: `${count} more`, SinceAtLeast: null, SnapshotId: null, Count },
    Detail: `${count} more: codes that have a balance but are not in the list.`,
  });
  expect(found.slice(-2)).toMatchObject([others('north', 1_008, '1008'), others('west', 1, '1')]);
  const { stdout } = await check('--client', 'north');
  expect(stdout).toMatch(
    /unlisted code +north +6\u202f007 findings +M10000, .* and 6\u202f002 more: codes that/,
  );
});

test('progress bars are shown at a terminal, and removed after an error', async () => {
  const engine = await startFaultyEngine();
  onTestFinished(() => engine.stop());
  const { data: folder } = await emptyDeployment({ engine: engine.endpoint });
  engine.decide((action, _, { body }) =>
    action === 'Query' && body.includes('"warehouse"') ? 'deny' : 'through',
  );
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  const { code, stderr: seen } = await adminHereOn(folder, ['check']);
  process.stderr.isTTY = isTTY;
  expect(code).toBe(1);
  expect(seen).toContain('Reading batches');
  expect(withoutBars(seen)).toMatch(/^(?!Reading)\S.*not authorized/);
});
/** Removes each progress bar that is cleared afterwards. A bar that stays behind remains. */
const withoutBars = (seen: string) =>
  seen
    .split(CLEAR)
    .map((text, place, all) => (place < all.length - 1 && BAR.test(text) ? '' : text))
    .join('');

const CLEAR = '\r\u001b[K';
const BAR = /^Reading [^\r\n]*$/;
