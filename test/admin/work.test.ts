import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Kinds, Work } from '../../admin/console/api.ts';
import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import { entryOf } from '../support/batches.ts';
import { openConsole } from '../support/console.ts';
import { emptyDeployment, putBatch } from './tables.ts';

/** A Monday. */
const NOW = new Date('2026-11-23T12:00:00.000Z');
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterAll(() => void vi.useRealTimers());

const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const added = (hours: number) => ({
  ...{ CreatedAt: ago(hours).toISOString(), SilenceFrom: ago(hours).toISOString(), SilenceHours: 24 },
});

type Sent = Record<string, readonly number[]>;
const deploy = async (clients: NonNullable<Parameters<typeof emptyDeployment>[0]>['clients'], sent: Sent) => {
  const deployed = await emptyDeployment({ clients: clients ?? [] });
  for (const [client, hours] of Object.entries(sent))
    for (const hoursAgo of hours)
      await putBatch(deployed.names.BalanceSnapshots, client, ago(hoursAgo), [entryOf('A', 1)]);
  await deployed.tables.put('MaterialCodes', { MaterialCode: 'A' });
  const console = await openConsole(deployed.data, { isInThreads: false });
  onTestFinished(() => console.stop());
  const work = (at?: Date): Promise<Work> => console.ask('work', at ? { at: at.toISOString() } : {});
  return { ...deployed, console, work };
};

/** Batches of so many days, the last one so many hours ago, at these hours after the first of a day. */
const daily = (days: number, lastHoursAgo: number, ...hours: number[]) =>
  Array.from({ length: days }, (_, day) => hours.map((hour) => lastHoursAgo + day * 24 + hour)).flat();

test('a late warehouse is a card that says when it sent, and how often it usually does', async () => {
  const sent = {
    twice: daily(20, 55, 0, 16),
    nine: daily(9, 30, 0),
    weekly: daily(30, 30, 0).filter((_, day) => day % 3 === 0),
    // A day too long ago does not count.
    once: [...daily(15, 30, 0), 30 + 31 * 24],
  };
  const clients = Object.keys(sent).map((Client) => ({ Client, ...added(800) }));
  const { console, tables, work } = await deploy([...clients, { Client: 'fine', ...added(2) }], sent);
  const { cards, fine } = await work();
  expect(fine).toEqual(['fine']);
  expect(
    cards.map(({ scope, concerns }) => [scope, concerns.map(({ kind, state }) => [kind, state])]),
  ).toEqual(['nine', 'once', 'weekly', 'twice'].map((scope) => [scope, [['late', 'open']]]));
  const data = {
    client: 'twice',
    subject: 'twice',
    lastBatchAt: ago(55).toISOString(),
    batchesADay: 2,
    hours: 24,
  };
  const lateSince = ago(31).getTime();
  expect(cards.at(-1)).toMatchObject({
    ...{ client: 'twice', list: null, severity: 'error' },
    concerns: [{ kind: 'late', state: 'open', count: 1, newestSince: lateSince, findings: [{ data }] }],
  });
  const usual = cards.map(({ concerns: [concern] }) => concern?.findings[0]?.data['batchesADay']);
  expect(usual).toEqual([null, 1, null, 2]);
  const [row] = await console.rows('findings', { scope: 'twice' });
  expect(row).toMatchObject({
    Kind: 'late',
    SinceAtLeast: lateSince,
    SnapshotId: expect.stringMatching('^2026-11-21T05:00'),
  });
  await tables.put('MaterialCodes', { MaterialCode: 'unused' });
  const told = await console.post('/api/told', { scope: 'nine', kind: 'late', mark: 'told', version: null });
  expect(told.status).toBe(200);
  const then = (await work()).cards.map(({ scope, concerns }) => [scope, concerns[0]?.state]);
  const open = ['once', 'weekly', 'twice', 'list:MaterialCodes'];
  expect(then).toEqual([...open.map((scope) => [scope, 'open']), ['nine', 'told']]);
  // An hour before and after it becomes late.
  expect((await work(ago(32))).fine).toContain('twice');
  expect((await work(ago(31))).fine).not.toContain('twice');
});

test('a client is neither late nor fine before it was added', async () => {
  const { console, work } = await deploy(
    [
      { Client: 'new', DisplayName: 'New store', ...added(10), SilenceFrom: ago(50).toISOString() },
      { Client: 'silent', ...added(30) },
    ],
    {},
  );
  const statesAt = async (at: Date) =>
    (await console.rows('warehouses', { at: at.toISOString() })).map(({ State }) => State);
  expect(await statesAt(ago(11))).toEqual(['on time', null]);
  expect(await statesAt(ago(4))).toEqual(['late', 'late']);
  expect(await work(ago(11))).toEqual({ cards: [], fine: ['silent'] });
  expect((await work()).cards).toMatchObject([{ scope: 'new' }, { scope: 'silent' }]);
  expect(await console.ask('choices')).toMatchObject({ names: [['new', 'New store']] });
  const starts = [NOW.getTime() - DAY_MS, NOW.getTime()].join();
  expect(await console.ask('arrivals', { starts })).toMatchObject([
    { client: 'new', since: ago(10).getTime() },
    { client: 'silent', since: ago(30).getTime() },
  ]);
});

test('a warehouse becomes late while nothing else changes', async () => {
  const { work } = await deploy(
    [
      { Client: 'north', ...added(90) },
      { Client: 'damaged', ...added(90), Slot: 0 },
    ],
    { north: [23], damaged: [9] },
  );
  expect(await work()).toEqual({ cards: [], fine: ['north'] });
  vi.setSystemTime(ago(-1));
  onTestFinished(() => void vi.setSystemTime(NOW));
  expect(await work()).toMatchObject({ cards: [{ scope: 'north', concerns: [{ kind: 'late' }] }], fine: [] });
});

/** As docs/admin.md says. */
const MOST_OF_A_KIND = 10_000;

test('of many findings each sum is what a click shows, and a list is one card', async () => {
  const { console, names, tables, work } = await deploy(['north', 'south'], {});
  const codes = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      entryOf(`${prefix}${index}`, 1, 'kg', index < 2 ? ['OT0000001'] : []),
    );
  const inTons = ['S1', ...Array.from({ length: 11 }, (_, index) => `N${index}`)];
  for (const MaterialCode of inTons) await tables.put('MaterialCodes', { MaterialCode, Unit: 't' });
  await putBatch(names.BalanceSnapshots, 'north', ago(2), codes('N', MOST_OF_A_KIND + 7));
  await putBatch(names.BalanceSnapshots, 'south', ago(1), codes('S', 12));
  const totalOf = async (filter: Record<string, string>) =>
    (await console.ask('tables/findings/count', filter)).total;
  const { cards } = await work();
  const shown = cards.flatMap(({ scope, concerns }) =>
    concerns.map(({ kind, count }) => [scope, kind, count]),
  );
  expect(shown).toEqual([
    ['south', 'unit-differs', 1],
    ['north', 'unit-differs', 11],
    ['list:MaterialCodes', 'unlisted-code', MOST_OF_A_KIND + 7],
    ['list:MaterialCodes', 'no-balance', 1],
    ['list:PurchaseOrders', 'unlisted-order', 2],
  ]);
  for (const [scope, kind, count] of shown)
    expect(await totalOf({ scope: String(scope), kind: String(kind) })).toBe(count);
  const kindsOf = async (filter: Record<string, string>) =>
    ((await console.ask('kinds', filter)) as Kinds).map(({ kind, count }) => [kind, count]);
  for (const filter of [{ client: 'south' }, { severity: 'warning' }])
    for (const [kind, count] of await kindsOf(filter))
      expect(await totalOf({ ...filter, kind: String(kind) })).toBe(count);
  expect(await kindsOf({ client: 'south' })).toEqual([
    ['unit-differs', 1],
    ['unlisted-code', 11],
    ['unlisted-order', 1],
  ]);
  expect(cards[2]?.concerns[0]?.findings).toHaveLength(10);
  // The findings of a card are not all, but all have the same units.
  expect((await console.ask('message', { client: 'north' })).text).toMatch(
    '11 materials come in kg instead of t',
  );
});
