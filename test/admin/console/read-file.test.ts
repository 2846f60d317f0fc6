import { expect, test } from 'vitest';
import { createFileReader } from '../../../admin/console/processes/file-reader.ts';

const start = () => {
  const read = createFileReader();
  return (bytes: Uint8Array, signal = new AbortController().signal) =>
    read({ bytes, list: 'MaterialCodes', options: {} }, signal);
};
const bytesOf = (content: string) => Buffer.from(content);
const codes = Array.from({ length: 20_000 }, (_, index) => `C-${index},x`);
const large = bytesOf(['MaterialCode,Name', ...codes].join('\n'));

test('files are read one after the other, while other work goes on', async () => {
  const read = start();
  const ended: number[] = [];
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (ended.length < 3) setImmediate(turn);
  };
  turn();
  const reading = [large, bytesOf('MaterialCode\nA\n'), large].map(async (bytes, index) => {
    const { rows } = await read(bytes);
    ended.push(index);
    return rows.size;
  });
  expect(await Promise.all(reading)).toEqual([20_000, 1, 20_000]);
  expect(ended).toEqual([0, 1, 2]);
  expect(turns).toBeGreaterThan(100);
});

test('a file that is refused, or that its page no longer waits for, does not stop the next one', async () => {
  const read = start();
  const refused = read(bytesOf('MaterialCode\nA B\n'));
  const gone = new AbortController();
  const aborted = read(large, gone.signal);
  const accepted = read(bytesOf('Code\nA\n'));
  gone.abort();
  await expect(aborted).rejects.toThrow('aborted');
  await expect(refused).rejects.toThrow(/^The file is refused because of 1 error.*\nline 2: "A B"/s);
  expect((await accepted).notices).toEqual([expect.stringMatching(/^No column has the title/)]);
});
