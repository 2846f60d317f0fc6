import { expect, test } from 'vitest';
import { createFileReader } from '../../../admin/lists/files/read-rows-in-thread.ts';

const bytesOf = (content: string) => Buffer.from(content);
const codes = Array.from({ length: 20_000 }, (_, index) => `C-${index},x`);
const large = bytesOf(['MaterialCode,Name', ...codes].join('\n'));
const work = (bytes: Uint8Array) => ({ bytes, list: 'MaterialCodes' as const, signs: {} });

test('files are read one after the other, while other work goes on', async () => {
  const read = createFileReader();
  const ended: number[] = [];
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (ended.length < 3) setImmediate(turn);
  };
  turn();
  const reading = [large, bytesOf('MaterialCode\nA\n'), large].map(async (bytes, index) => {
    const { rows } = await read(work(bytes));
    ended.push(index);
    return rows.size;
  });
  expect(await Promise.all(reading)).toEqual([20_000, 1, 20_000]);
  expect(ended).toEqual([0, 1, 2]);
  expect(turns).toBeGreaterThan(100);
});

test('a file that is refused does not stop the next one', async () => {
  const read = createFileReader();
  const refused = read(work(bytesOf('MaterialCode\nA B\n')));
  const accepted = read(work(bytesOf('Code\nA\n')));
  await expect(refused).rejects.toThrow(/^The file is refused because of 1 error.*\nline 2: "A B"/s);
  expect((await accepted).notices).toEqual([expect.stringMatching(/^No column has the title/)]);
});
