import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PROGRAM } from '../../admin/text/reader.ts';
import { formatTime } from '../../admin/text/time.ts';
import { formatNumber } from '../../admin/text/words.ts';
import { writeFor } from '../../admin/text/write-for.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { startTestConsole, type TestConsole } from './console/test-console.ts';
import { adminHereOn } from './in-process.ts';
import { readSheets } from './read-sheets.ts';
import { emptyDeployment, putBatch, putItems } from './tables.ts';

/** In Berlin, the hour from 2:00 to 3:00 comes twice on this day. */
const BATCHES = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'] as const;
const NOW = new Date('2026-10-25T09:00:00.000Z');
const [BERLIN, VLADIVOSTOK] = ['Europe/Berlin', 'Asia/Vladivostok'];
const SPACE = '\u202f';
const out = join(temporaryFolder(), 'clock.xlsx');

let data: string;
let console: TestConsole;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const { names, ...deployed } = await emptyDeployment({ clients: ['north'] });
  ({ data } = deployed);
  const send = (at: string, value: number) =>
    putBatch(names.BalanceSnapshots, 'north', new Date(at), [entryOf('A', value)]);
  await send(BATCHES[0], 1234.5);
  await send(BATCHES[1], 12_345);
  await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
  console = await startTestConsole(data, { cache: false });
  await console.read();
});
afterAll(async () => {
  await console.stop();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const sayAll = async (zone: string, line: string) => {
  vi.stubEnv('TZ', zone);
  const { code, stdout, stderr } = await adminHereOn(data, [...line.split(' '), '--no-cache']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  vi.unstubAllEnvs();
  return { stdout, stderr };
};
const say = async (zone: string, line: string) => (await sayAll(zone, line)).stdout;
/** Of the latest batch and of the one before it, in the finding and in the column of times. */
const clocks = (text: string) => new Set(text.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: [+U][\dTC:]+)?/g));

describe('a command', () => {
  test.each([
    [BERLIN, '', ['2026-10-25 02:30:00 +01:00', '2026-10-25 02:30:00 +02:00']],
    [VLADIVOSTOK, '', ['2026-10-25 11:30:00 +10:00', '2026-10-25 10:30:00 +10:00']],
    [BERLIN, ' --utc', ['2026-10-25 01:30:00 UTC', '2026-10-25 00:30:00 UTC']],
    ['UTC', '', ['2026-10-25 01:30:00 UTC', '2026-10-25 00:30:00 UTC']],
    ['Etc/Unknown', '', ['2026-10-25 01:30:00 UTC', '2026-10-25 00:30:00 UTC']],
  ])('in %s shows times on this clock%s', async (zone, utc, [latest, before]) => {
    const found = await say(zone, `check --kind power-of-ten${utc}`);
    expect(found).toContain(`it is 12${SPACE}345 kg (${latest}), but was 1${SPACE}234.5 kg`);
    expect([...clocks(found)]).toEqual([latest, before]);
    expect([...clocks(await say(zone, `balances${utc}`))]).toEqual([latest]);
  });

  test('reads a day as the clock of --utc shows it', async () => {
    const countAt = async (zone: string, options: string) =>
      JSON.parse(await say(zone, `snapshots list ${options} --json`)).length;
    expect(await countAt('America/New_York', '--at 2026-10-24')).toBe(2);
    expect(await countAt('America/New_York', '--at 2026-10-24 --utc')).toBe(0);
  });

  test.each(['--json', '--csv'])('with %s keeps UTC, ISO and plain digits for programs', async (format) => {
    const found = await say(BERLIN, `check --kind power-of-ten ${format}`);
    expect(found).toContain('it is 12345 kg (2026-10-25 01:30:00 UTC), but was 1234.5 kg');
    expect(await say(BERLIN, `balances ${format}`)).toContain(BATCHES[1]);
  });

  test('writes a message on this clock, also in JSON', async () => {
    const { text } = JSON.parse(await say(BERLIN, 'check --client north --message --json'));
    expect(text).toContain(`All times are in the time zone ${BERLIN}.`);
  });

  test('writes a workbook on this clock, and names the zone in titles', async () => {
    await say(BERLIN, `balances --out ${out}`);
    const [sheet] = readSheets(readFileSync(out));
    expect([...(sheet?.cells.values() ?? [])]).toContain(`ReceivedAt (${BERLIN})`);
    expect([...(sheet?.cells.values() ?? [])]).toContainEqual({
      number: expect.closeTo(46_320.104_166_67),
      format: '164',
    });
  });
});

describe('the workbook of compare', () => {
  test('has both moments with their zone, and names codes that nothing has', async () => {
    const said = await sayAll(BERLIN, `compare 2026-10-25T01:00Z --codes nothing --out ${out}`);
    expect(said.stderr).toContain('No balance of either time has nothing.');
    const [sheet] = readSheets(readFileSync(out));
    const shown = ['A2', 'B2', 'C2', 'A3', 'C3'].map((place) => sheet?.cells.get(place));
    expect(shown).toEqual([
      ...['Before', { number: expect.closeTo(46_320.083_33), format: '164' }, BERLIN],
      ...['After', BERLIN],
    ]);
  });
});

describe('the console, for a browser in another zone', () => {
  const headersOf = (timeZone: string) => ({ 'Time-Zone': timeZone, 'Decimal-Sign': ',' });
  const answer = (path: string, timeZone = VLADIVOSTOK) =>
    console.get(`/api/${path}`, { headers: headersOf(timeZone) });
  const inBrowser = (path: string) =>
    fetch(`${console.origin}/api/${path}`, {
      headers: { Cookie: console.cookie, ...headersOf(VLADIVOSTOK) },
    });

  test('writes files with its clock and its signs, also in their names', async () => {
    const path = `downloads/tables/findings?kind=power-of-ten&at=${NOW.toISOString()}`;
    const response = await inBrowser(`${path}&format=csv-comma`);
    expect(response.headers.get('Content-Disposition')).toContain('2026-10-25 19.00.00.csv');
    const text = await response.text();
    expect(text).toContain(`Since at least (${VLADIVOSTOK})`);
    expect(text).toContain(`it is 12${SPACE}345 kg (2026-10-25 11:30:00), but was 1${SPACE}234,5 kg`);
    expect([...clocks(text)]).toEqual(['2026-10-25 11:30:00', '2026-10-25 10:30:00']);
    const workbook = await inBrowser(`${path}&format=xlsx`);
    const [sheet] = readSheets(Buffer.from(await workbook.arrayBuffer()));
    expect(sheet?.cells.get('E1')).toBe(`Since at least (${VLADIVOSTOK})`);
    expect(sheet?.cells.get('E2')).toEqual({ number: expect.closeTo(46_320.479_166_67), format: '164' });
  });

  test('finds the sentences that its page shows', async () => {
    const found = async (search: string) =>
      (await answer(`tables/findings/count?kind=power-of-ten&search=${encodeURIComponent(search)}`)).body
        .count;
    expect([await found('1 234,5'), await found('11:30:00'), await found('01:30:00')]).toEqual([1, 1, 0]);
  });

  test('asks on its clock before a new password', async () => {
    const headers = { ...headersOf(VLADIVOSTOK), Origin: console.origin, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ action: 'rotate', overlapHours: 24, isAgain: false });
    const { question } = (await console.get('/api/clients/north', { method: 'POST', headers, body })).body;
    expect(question).toMatch(/ stays valid until 2026-10-26 19:0\d:\d\d\. /);
  });

  test('keeps UTC in queries, and refuses a zone that does not exist', async () => {
    const sql = encodeURIComponent("SELECT detail, since FROM finding WHERE kind = 'power-of-ten'");
    expect((await answer(`tables/query?sql=${sql}`)).body.rows).toEqual([
      [expect.stringContaining('1234.5 kg in the previous batch (2026-10-25 00:30:00 UTC)'), BATCHES[1]],
    ]);
    expect((await answer('state', 'Europe/Atlantis')).status).toBe(400);
  });
});

test('the clock of a zone has minutes, and a year before it knew summer time', () => {
  const of = (timeZone: string, at: string) =>
    writeFor({ timeZone, decimal: ',', namesZone: true }, () => formatTime(new Date(at)));
  expect(of('Asia/Kolkata', '2026-12-31T20:00:00Z')).toBe('2027-01-01 01:30:00 +05:30');
  expect(of('America/St_Johns', '2026-07-01T00:00:00.999Z')).toBe('2026-06-30 21:30:00 -02:30');
  expect(writeFor(PROGRAM, () => formatNumber(-1234.5))).toBe('-1234.5');
});
