import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Work } from '../../admin/console/api.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { openConsole } from '../support/console.ts';
import { startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { columnOf, readSheets } from './read-sheets.ts';
import { dataFolder, emptyDeployment, putBatch } from './tables.ts';

/** The clock of the engine, which corrects that of the commands. */
const NOW = new Date();
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterAll(() => void vi.useRealTimers());

const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const north = (addedHoursAgo: number) => ({
  ...{ Client: 'north', SilenceHours: 0, CreatedAt: ago(addedHoursAgo).toISOString() },
});
const consoleOf = async (data: string) => {
  const console = await openConsole(data, { isInThreads: false });
  onTestFinished(() => console.stop());
  return console;
};

/** All times are hours ago. Below 0, they are in the future. */
type Made = {
  batches: { hours: number; codes: string[] }[];
  mark: { hours: number; until: number | null; severity: 'error' | 'warning' | 'note' } | null;
  moment: number;
  /** Batches expire after so many hours. */
  lifetime: number | null;
  added: number;
};
const hours = (min: number, max: number) => fc.integer({ min, max });
const made: fc.Arbitrary<Made> = fc.record({
  batches: fc.uniqueArray(
    fc.record({
      hours: hours(0, 9),
      codes: fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1 }),
    }),
    { minLength: 1, maxLength: 6, selector: (batch) => batch.hours },
  ),
  mark: fc.option(
    fc.record({
      hours: hours(0, 9),
      until: fc.option(hours(-9, 3), { freq: 2 }),
      severity: fc.constantFrom('error', 'warning', 'warning', 'note'),
    }),
  ),
  moment: fc.oneof(fc.constant(0), hours(0, 9)),
  lifetime: fc.option(hours(5, 12), { freq: 2 }),
  added: fc.constantFrom(8, 60),
});

type Since = { since: number; isClipped: boolean };

const stateOf = ({ since, isClipped }: Since, { mark, moment }: Made) => {
  if (!mark || mark.hours < moment || mark.severity === 'note') return 'open';
  if (mark.until !== null) return mark.until < moment ? 'known' : 'open';
  return since >= mark.hours || isClipped ? 'told' : 'open';
};

/** A second, plain implementation. The findings are codes of the latest batch, none of which is in the list: warnings. */
const statesOf = (world: Made) => {
  const { batches, moment, added } = world;
  const lifetime = world.lifetime ?? Number.POSITIVE_INFINITY;
  const kept = batches.filter(({ hours }) => hours < lifetime).toSorted((a, b) => b.hours - a.hours);
  const until = kept.filter(({ hours }) => hours >= moment);
  const latest = until.at(-1)?.codes ?? [];
  return latest.map((code) => {
    const first = until.findLastIndex(({ codes }) => !codes.includes(code)) + 1;
    const since = { since: until[first]?.hours ?? 0, isClipped: first === 0 && added >= lifetime };
    return `${code} ${stateOf(since, world)}`;
  });
};

const write = async ({ batches, mark, lifetime, added }: Made) => {
  const { names, tables, data } = await emptyDeployment({ clients: [north(added)] });
  for (const { hours, codes } of batches) {
    const entries = codes.map((code) => entryOf(code, 1));
    const expiry = lifetime === null ? {} : { expiresAt: ago(hours - lifetime) };
    await putBatch(names.BalanceSnapshots, 'north', ago(hours), entries, expiry);
  }
  if (!mark) return data;
  const id = { Topic: 'told', Id: 'list:MaterialCodes|unlisted-code', Version: 1 };
  const until = mark.until === null ? {} : { Until: ago(mark.until).toISOString() };
  const made = { By: 'anna', At: ago(mark.hours).toISOString(), Note: '', Severity: mark.severity };
  await tables.put('AdminRecords', { ...id, ...made, ...until });
  return data;
};

test('under any batches, marks, severities and moments, the states are those of the model', async () => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(fc.noBias(made), async (world) => {
    const { moment } = world;
    const data = await write(world);
    const console = await openConsole(data, { isInThreads: false, readsOnce: true });
    const at = moment === 0 ? {} : { at: ago(moment).toISOString() };
    const rows = await console.rows('findings', { ...at, kind: 'unlisted-code' });
    const { cards }: Work = await console.ask('work', at);
    const totals = await Promise.all(
      ['open', 'told', 'known'].map(async (state) => {
        const filter = { ...at, state, kind: 'unlisted-code', scope: 'list:MaterialCodes' };
        return [state, (await console.ask('tables/findings/count', filter)).total];
      }),
    );
    await console.stop();
    const expected = statesOf(world);
    for (const text of expected) seen.add(text.slice(2));
    expect(rows.map((row) => `${row['Subject']} ${row['State']}`).toSorted()).toEqual(expected.toSorted());
    const countOf = (state: string) => expected.filter((text) => text.endsWith(state)).length;
    expect(totals).toEqual(['open', 'told', 'known'].map((state) => [state, countOf(state)]));
    const concerns = cards.flatMap((card) => card.concerns).filter(({ kind }) => kind === 'unlisted-code');
    expect(Object.fromEntries(concerns.map(({ state, count }) => [state, count]))).toEqual(
      Object.fromEntries(totals.filter(([, count]) => count > 0)),
    );
    const card = cards.find(({ list }) => list === 'MaterialCodes');
    expect(card?.concerns[0]?.state === 'open').toBe(countOf('open') > 0);
  });
  await fc.assert(property, { numRuns: 40, seed: Number(process.env['SEED'] ?? '3') });
  expect([...seen].toSorted()).toEqual(['known', 'open', 'told']);
});

const openNorth = async (engine?: string) => {
  const { names, tables, data } = await emptyDeployment({ clients: [north(99)] });
  const send = (hoursAgo: number, ...codes: string[]) =>
    putBatch(
      names.BalanceSnapshots,
      'north',
      ago(hoursAgo),
      codes.map((code) => entryOf(code, 1)),
    );
  await send(3, 'A');
  await send(2, 'A', 'B');
  const console = await consoleOf(engine ? dataFolder(names, { engine }) : data);
  const CODES = { scope: 'list:MaterialCodes', kind: 'unlisted-code' };
  const tell = (body: Record<string, unknown>) =>
    console.post('/api/told', { ...CODES, version: null, ...body });
  const concerns = async (at?: Date) => {
    const { cards }: Work = await console.ask('work', at ? { at: at.toISOString() } : {});
    return cards.flatMap((card) =>
      card.concerns.map(({ state, count, mark, version }) => ({ state, count, note: mark?.note, version })),
    );
  };
  const version = async (): Promise<number> => (await console.ask('state')).version;
  return { names, tables, data, send, tell, concerns, version };
};

test('what was told is hidden until a newer finding comes, and for all admins', async () => {
  const { tell, concerns, send, tables, data } = await openNorth();
  expect(await tell({ mark: 'told', note: 'Called' })).toMatchObject({ status: 200, body: { version: 1 } });
  const told = { state: 'told', count: 2, note: 'Called', version: 1 };
  expect(await concerns()).toEqual([told]);
  expect(await tables.rows('AdminRecords')).toMatchObject([
    { By: { S: 'local' }, At: { S: NOW.toISOString() }, Severity: { S: 'warning' }, Version: { N: '1' } },
  ]);
  expect((await tables.rows('AdminRecords'))[0]).not.toHaveProperty('ExpiresAt');
  // The mark was made after this moment.
  expect(await concerns(ago(1))).toMatchObject([{ state: 'open', count: 2, version: null }]);
  await send(-1, 'A', 'new');
  expect(await concerns()).toEqual([
    { ...told, state: 'open', count: 1 },
    { ...told, count: 1 },
  ]);
  const until = ago(-5).toISOString();
  expect(await tell({ mark: 'known', until, version: 1 })).toMatchObject({ body: { version: 2 } });
  expect(await concerns()).toMatchObject([{ state: 'known', count: 2, note: '', version: 2 }]);
  expect(await tell({ mark: 'told', version: 1 })).toEqual({
    ...{ status: 409, headers: expect.anything() },
    body: {
      message: expect.stringMatching(/^local has marked these findings at 20.*Look at them again\.$/),
    },
  });
  const kind = ['--list', 'codes', '--kind', 'unlisted-code'];
  const run = async (...line: string[]) => (await adminHereOn(data, ['told', ...kind, ...line])).stderr;
  expect(await run('--undo')).toBe('2 findings of the list codes (unlisted code): shown again.\n');
  expect(await concerns()).toEqual([{ state: 'open', count: 2, note: undefined, version: 3 }]);
  expect(await run('--note', 'Again')).toMatch(/\(unlisted code\): told\. Newer ones come back\.\n$/);
  const { stdout } = await adminHereOn(data, ['check', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ State: 'told' }, { State: 'told' }]);
  const hidden = 'Not shown: 2 told and 0 known. `--all` shows them.\n';
  expect(await adminHereOn(data, ['check', '--strict'])).toMatchObject({ code: 0, stderr: hidden });
  // The machine of the tests is in UTC.
  expect(await run('--until', '2099-12-24')).toMatch(/known until 2099-12-24 00:00:00 UTC\.\n$/);
  await run('--note', 'Once more');
  const query = 'select subject, scope, state from finding order by subject';
  const statesAt = async (...line: string[]) =>
    JSON.parse((await adminHereOn(data, ['sql', query, '--json', ...line])).stdout);
  const scope = 'list:MaterialCodes';
  expect(await statesAt()).toEqual([
    { subject: 'A', scope, state: 'told' },
    { subject: 'new', scope, state: 'open' },
  ]);
  // The mark was made after this moment.
  expect(await statesAt('--at', ago(1).toISOString())).toEqual([
    { subject: 'A', scope, state: 'open' },
    { subject: 'B', scope, state: 'open' },
  ]);
});

test('the advice, the report and told name a warehouse as people call it', async () => {
  const { names, data } = await emptyDeployment({ clients: [{ ...north(99), DisplayName: 'Lager Nord' }] });
  const send = (hoursAgo: number, codes: string) =>
    putBatch(
      names.BalanceSnapshots,
      'north',
      ago(hoursAgo),
      [...codes].map((code) => entryOf(code, 1)),
    );
  await send(2, 'ABC');
  await send(1, 'A');
  const halved = ['--client', 'north', '--kind', 'halved-snapshot'];
  const { stdout } = await adminHereOn(data, ['check', ...halved]);
  expect(stdout).toMatch(/ north .* Ask Lager Nord whether it sent all materials\./);
  const { stderr } = await adminHereOn(data, ['told', ...halved]);
  expect(stderr).toMatch(/^1 finding of Lager Nord \(half of the batch is missing\): told/);
  const marks = async () => (await adminHereOn(data, ['told', '--json'])).stdout;
  const mark = { Client: 'north', Kind: 'halved-snapshot', Told: expect.any(String), KnownUntil: null };
  expect(JSON.parse(await marks())).toEqual([{ ...mark, By: 'local', Note: '' }]);
  const out = join(temporaryFolder(), 'report.xlsx');
  await adminHereOn(data, ['report', '--out', out]);
  const [, findings, warehouses] = readSheets(readFileSync(out));
  expect(columnOf(findings, 'Warehouse or list')).toContain('Lager Nord');
  expect(columnOf(warehouses, 'Display name')).toEqual(['Lager Nord']);
  await adminHereOn(data, ['told', ...halved, '--undo']);
  expect(await marks()).toBe('[]\n');
});

test('a mark causes no new check, but a batch that comes with it does', async () => {
  const { tell, concerns, send, version } = await openNorth();
  const before = await version();
  await tell({ mark: 'told' });
  // A check would write one more version.
  expect(await version()).toBe(before + 1);
  await send(-1, 'A', 'new');
  await tell({ mark: 'told', version: 1 });
  expect(await concerns()).toMatchObject([
    { state: 'open', count: 1, version: 2 },
    { state: 'told', count: 1, version: 2 },
  ]);
});

test('what has come since a message was read stays open when the message is marked as told', async () => {
  const { tell, concerns } = await openNorth();
  expect(await tell({ mark: 'told', readAt: ago(2.5).toISOString() })).toMatchObject({ status: 200 });
  expect(await concerns()).toMatchObject([
    { state: 'open', count: 1 },
    { state: 'told', count: 1 },
  ]);
  await tell({ mark: 'told', readAt: ago(-9).toISOString(), version: 1 });
  expect(await concerns()).toMatchObject([{ state: 'told', count: 2 }]);
});

test('the response after a mark shows it, and only two read batches make no finding newer', async () => {
  const { data, tables, send } = await openNorth();
  await send(4, 'A');
  const console = await openConsole(data);
  onTestFinished(() => console.stop());
  await console.read();
  const concern = { scope: 'list:MaterialCodes', kind: 'unlisted-code' };
  await console.post('/api/told', { ...concern, mark: 'told', version: null });
  const { cards }: Work = await console.ask('work');
  expect(cards).toMatchObject([{ concerns: [{ state: 'told' }] }]);
  // The newest two batches have A, which was there before.
  const [record] = await tables.rows('AdminRecords');
  const { Topic, Id } = { Topic: 'told', Id: record?.['Id']?.S };
  const mark = { By: 'anna', At: ago(3.5).toISOString(), Note: '', Severity: 'warning', Version: 2 };
  await tables.put('AdminRecords', { Topic, Id, ...mark });
  const { stdout } = await adminHereOn(data, ['check', '--json', '--no-cache']);
  const states = JSON.parse(stdout).map(
    ({ Subject, State }: Record<string, string>) => `${Subject} ${State}`,
  );
  expect(states).toEqual(['A told', 'B open']);
  const check = async (...line: string[]) => {
    const { stdout, stderr } = await adminHereOn(data, ['check', '--kind', 'unlisted-code', ...line]);
    return [...stdout.split('\n').slice(2, -1), stderr].map((line) => line.replaceAll(/ {2,}/g, ' '));
  };
  expect(await check()).toEqual([
    expect.stringMatching(/^warning unlisted code north B Has/),
    expect.stringMatching(
      /^unlisted-code: 1 \(.*\)\nNot shown: 1 told and 0 known\. `--all` shows them\.\n$/,
    ),
  ]);
  expect(await check('--all')).toEqual([
    expect.stringMatching(/^told warning unlisted code north A Has/),
    expect.stringMatching(/^open warning unlisted code north B Has/),
    expect.stringMatching(/^unlisted-code: 2 \([^\n]*\n$/),
  ]);
  await tables.put('AdminRecords', { Topic, Id, ...mark, Until: ago(2.5).toISOString() });
  const stateAt = async (...at: string[]) =>
    (await adminHereOn(data, ['sql', `select state from finding where subject = 'A'`, '--json', ...at]))
      .stdout;
  expect(
    [await stateAt(), await stateAt('--at', ago(3).toISOString())].map((text) => JSON.parse(text)),
  ).toEqual([[{ state: 'open' }], [{ state: 'known' }]]);
});

test('a mark whose response was lost is no conflict, and without the permission a sentence says so', async () => {
  const engine = await startFaultyEngine();
  onTestFinished(() => engine.stop());
  const { tell, concerns } = await openNorth(engine.endpoint);
  let isFirst = true;
  engine.decide((action) => {
    if (action !== 'PutItem' || !isFirst) return 'through';
    isFirst = false;
    return 'loseResponse';
  });
  expect(await tell({ mark: 'told' })).toMatchObject({ status: 200, body: { version: 1 } });
  expect(await concerns()).toMatchObject([{ state: 'told', version: 1 }]);
  engine.decide((action) => (action === 'PutItem' ? 'deny' : 'through'));
  expect(await tell({ mark: 'undo', version: 1 })).toMatchObject({
    body: { message: expect.stringMatching(/^These credentials are not allowed .*dynamodb:PutItem/) },
  });
});

test.each([
  [{ mark: 'known' }, /time in the future/],
  [{ mark: 'known', until: ago(1).toISOString() }, /time in the future/],
  [{ mark: 'told', note: 'x'.repeat(1_001) }, /at most 1.?000 characters/],
  [{ mark: 'known', until: '9999-12-31T23:59:59.999-12:00' }, /request is not valid/],
  [{ mark: 'known', until: '2099-02-30T00:00:00.000Z' }, /request is not valid/],
  [{ mark: 'told', kind: 'no-kind' }, /request is not valid/],
  [{ mark: 'told', scope: 'north|late' }, /request is not valid/],
  [{ mark: 'told', scope: 'list:Nothing' }, /request is not valid/],
  [{ mark: 'told', version: 2 ** 60 }, /request is not valid/],
])('the mark %j is refused', async (body, message) => {
  const { tell, tables } = await openNorth();
  expect(await tell(body)).toMatchObject({
    ...{ status: 400, body: { message: expect.stringMatching(message) } },
  });
  expect(await tables.rows('AdminRecords')).toEqual([]);
});

test.each([
  { At: 'yesterday' },
  { At: '2026-02-30T12:00:00.000Z' },
  { At: ago(-1).toISOString().replace('Z', '+02:00') },
  { Until: '+010000-01-01T00:00:00.000Z' },
  { Version: '1' },
  { Severity: 'fatal' },
])('a stored mark with %j hides nothing, and the next mark says which item to delete', async (damage) => {
  const { tell, concerns, tables } = await openNorth();
  const mark = { Topic: 'told', Id: 'list:MaterialCodes|unlisted-code', At: ago(0).toISOString() };
  await tables.put('AdminRecords', { ...mark, Severity: 'warning', Version: 1, ...damage });
  expect(await concerns()).toEqual([{ state: 'open', count: 2, note: undefined, version: null }]);
  expect(await tell({ mark: 'told' })).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(/^The item told, list:MaterialCodes\|unlisted-code of .* is damaged/),
    },
  });
});

test.each([
  [['--client', 'north'], /Give --kind/],
  [['--kind', 'late'], /either --client or --list/],
  [['--client', 'north', '--kind', 'late'], /no finding of north \(late\)\. Nothing was changed/],
  [['--list', 'codes', '--kind', 'unlisted-code', '--undo'], /no mark of the list codes \(unlisted code\)/],
  [['--client', 'north', '--kind', 'late', '--until', 'soon'], /Give a day, such as 2026-12-24/],
  [['--client', 'north', '--kind', 'late', '--until', '2099-02-30'], /Give a day, such as 2026-12-24/],
])('told %j is refused', async (line, words) => {
  const { data } = await openNorth();
  const { code, stderr } = await adminHereOn(data, ['told', ...line]);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(words);
});
