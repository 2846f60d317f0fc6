import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseWorkbook } from '../../../admin/formats/parse-workbook.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { entryOf } from '../../browser/sample.ts';
import { adminHereOn } from '../in-process.ts';
import { emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, testSession } from './test-console.ts';

const CODE = 'Болт-1/006';
/** A table may be edited by hand. */
const HOSTILE = `a"; filename=evil.exe\r\nX: ${CODE}`;

const { names, data } = await emptyDeployment({ clients: ['north', 'south'] });
const console = await startTestConsole(await testSession(data));
afterAll(() => console.stop());

const receivedAt = (hoursAgo: number) => new Date(Date.UTC(2026, 10, 20) - hoursAgo * HOUR_MS);
const keep = (client: string, hoursAgo: number, ...entries: Parameters<typeof putBatch>[3]) =>
  putBatch(names.BalanceSnapshots, client, receivedAt(hoursAgo), entries);
const orders = ['OT1234567', 'OT1234568'];
const ids: Record<string, string> = {
  FIRST: await keep('north', 9, entryOf(CODE, -1.5), entryOf('gone', 7, 'kg', orders), entryOf('00123', 1)),
  SECOND: await keep('north', 1, entryOf(CODE, 8, 'kg', orders), entryOf('1E5', 0.1), entryOf('00123', 1)),
  SOUTHERN: await keep('south', 5, entryOf(CODE, 3), entryOf(HOSTILE, 2)),
};
await putItems(names.MaterialCodes, [
  { MaterialCode: { S: CODE }, Name: { S: '=1+1; "Bolt"' }, Weight: { N: '7.85' } },
  { MaterialCode: { S: '00123' }, Sizes: { L: [{ N: '1.5' }] } },
]);

const download = (path: string) =>
  fetch(`${console.origin}/api/downloads/${withIds(path)}`, { headers: { Cookie: console.cookie } });

/** Puts the ids of batches into a path or a line. */
const withIds = (text: string) => text.replaceAll(/FIRST|SECOND|SOUTHERN/g, (name) => ids[name] ?? '');
const both = 'one=south/SOUTHERN&other=north/SECOND';
const code = encodeURIComponent(CODE);
const EVENING = '2026-11-19T20:00:00Z';

describe('a download has what the command line prints', () => {
  test.each([
    [`balances?client=north&at=${EVENING}&`, `balances --client north --at ${EVENING}`],
    [`history?code=${code}&client=south&`, `history ${CODE} --client south`],
    ['batches/north/FIRST?', 'snapshots export FIRST'],
    ['batches/south/latest?', 'snapshots export SOUTHERN'],
    [`comparison?${both}&`, 'snapshots diff SOUTHERN SECOND'],
    ['lists/MaterialCodes?', 'codes export'],
    ['findings?', 'check'],
  ])('%s', async (path, line) => {
    const read = async (format: string) => {
      const response = await download(`${path}format=${format}`);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const run = (...options: string[]) => adminHereOn(data, [...withIds(line).split(' '), ...options]);
    expect((await read('csv')).toString()).toBe((await run('--csv')).stdout);
    expect((await read('csv-comma')).toString()).toBe((await run('--csv', '--separator', ';')).stdout);
    const file = join(data, 'data.xlsx');
    expect(await run('--out', file)).toMatchObject({ code: 0 });
    expect(await parseWorkbook(await read('xlsx'))).toEqual(await parseWorkbook(readFileSync(file)));
  });
});

/** On the clock of this machine. */
const clockOf = (hoursAgo: number) => receivedAt(hoursAgo).toLocaleString('sv-SE').replaceAll(':', '.');
const plainAndEncoded = (header: string | null) =>
  /^attachment; filename="([ -!#-~]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header ?? '')?.slice(1);

describe('the name of a download', () => {
  test.each([
    ['a batch', 'batches/south/latest?', `batch south ${clockOf(5)}.csv`],
    ['a comparison', `comparison?${both}&`, `comparison south ${clockOf(5)} to north ${clockOf(1)}.csv`],
  ])('of %s says what, which warehouse and when', async (_, path, name) => {
    const { headers } = await download(`${path}format=csv`);
    expect(plainAndEncoded(headers.get('Content-Disposition'))).toEqual([name, encodeURIComponent(name)]);
  });

  test.each([
    [HOSTILE, 'a-; filename=evil.exe--X- Болт-1-006', 'a-; filename=evil.exe--X- ____-1-006'],
    ["it's(*)", "it's(-)", "it's(-)"],
    ['鋼'.repeat(256), '鋼'.repeat(40), '_'.repeat(40)],
  ])('for the code %j has nothing that a header or a file cannot have', async (code, name, plain) => {
    const query = new URLSearchParams({ code, client: 'south', at: EVENING, format: 'csv' });
    const { headers } = await download(`history?${query}`);
    const names = plainAndEncoded(headers.get('Content-Disposition'));
    const whole = [plain, name].map((shown) => `history ${shown} south ${clockOf(4)}.csv`);
    expect(names?.map(decodeURIComponent)).toEqual(whole);
  });
});

describe('one batch', () => {
  const get = (path: string) => console.get(`/api/batches/${withIds(path)}`);

  test('has its entries, and the latest one is found without its id', async () => {
    const { body } = await get('south/SOUTHERN');
    expect(body).toMatchObject({ client: 'south', snapshotId: ids['SOUTHERN'], requestId: 'test' });
    expect(body.receivedAt).toBe(receivedAt(5).getTime());
    expect(body.entries).toHaveLength(2);
    expect((await get('south/latest')).body).toEqual(body);
  });

  test.each([
    ['south/FIRST', /^There is no batch .* of south\. It may have expired, or/],
    ['east/latest', /^the local run in .* has no client east/],
    ['north:2/FIRST', /^The request is not valid/],
    [`north/${'x'.repeat(2_000)}`, /^The request is not valid/],
  ])('%.40s is refused in words', async (path, words) => {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body).toEqual({ message: expect.stringMatching(words) });
  });

  test('is refused as a file in a format that is none', async () => {
    expect((await download('batches/south/SOUTHERN?format=exe')).status).toBe(400);
  });
});
