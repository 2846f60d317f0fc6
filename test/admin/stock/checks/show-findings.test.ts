import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_FINDINGS_OF_KIND } from '../../../../admin/stock/checks/check.ts';
import { keepFindings } from '../../../../admin/stock/checks/findings/keep-findings.ts';
import { showFindings } from '../../../../admin/stock/checks/findings/show-findings.ts';
import type { Kind } from '../../../../admin/stock/checks/kinds.ts';
import { FOREVER } from '../../../../admin/stock/database/balance-rows.ts';
import { forgetExpired } from '../../../../admin/stock/database/forget-batches.ts';
import { changeStock, inTransaction, openStock } from '../../../../admin/stock/database/open-stock.ts';
import type { Client } from '../../../../shared/clients/client.ts';
import { HOUR_MS } from '../../../../shared/time.ts';
import { temporaryFolder } from '../../../support/assembly.ts';
import { entry, makeStock } from '../make-stock.ts';
import { type Given, sent, shownFindings, stockWith } from './checked-stock.ts';

const sinceOf = (kind: Kind, given: Given) => {
  const { db } = stockWith(given);
  db.exec('UPDATE client SET has_all_batches = 1');
  forgetExpired(db, new Date());
  showFindings(db, Date.now());
  return shownFindings(db)
    .filter((finding) => finding.kind === kind)
    .map(({ subject, since, instant }) => [subject, since, instant]);
};

const batch = (at: number, ...entries: ReturnType<typeof entry>[]) => ({ at, entries });
const expired = (...sent: Parameters<typeof batch>) => ({ ...batch(...sent), expiresAt: new Date(0) });
const [A, B] = [entry('A', 1), entry('B', 1)];
const [tons, dotted] = [entry('A', 1, 't'), entry('A', 1, 'kg.')];
const ordered = (balance: number, ...orders: string[]) => entry('A', balance, 'kg', orders);

test.each<[title: string, Kind, Given, ...found: [string, number | null, number | null][]]>([
  [
    'a code is unlisted since the batch that brought it, whatever its balance was since',
    'unlisted-code',
    { batches: { north: [batch(1_000, B), batch(2_000, A, B), batch(3_000, entry('A', 2), B)] } },
    ['A', 2_000, 3_000],
    ['B', 1_000, 3_000],
  ],
  [
    'a code is unlisted since it came back',
    'unlisted-code',
    { batches: { north: [batch(1_000, A), batch(2_000, B), batch(3_000, A)] } },
    ['A', 3_000, 3_000],
  ],
  [
    'a code has no balance since the last warehouse left it out',
    'no-balance',
    {
      codes: ['A', 'Z'],
      batches: {
        north: [batch(1_000, A), batch(2_000, B)],
        south: [batch(1_500, A), batch(2_500, B)],
        west: [batch(3_000, B)],
      },
    },
    ['A', 2_500, null],
    ['Z', null, null],
  ],
  [
    'an order is unlisted since the first batch that named it without interruption',
    'unlisted-order',
    {
      batches: {
        north: [
          batch(1_000, B, ordered(1, 'OT0000001')),
          batch(2_000, B, ordered(1)),
          batch(3_000, B, ordered(1, 'OT0000001')),
          batch(4_000, B, ordered(2, 'OT0000002', 'OT0000001')),
        ],
      },
    },
    ['OT0000001', 3_000, 4_000],
    ['OT0000002', 4_000, 4_000],
  ],
  [
    'a unit differs from the list since it did, whatever its balance was since',
    'unit-differs',
    {
      codes: [{ MaterialCode: 'A', Unit: 'kg' }],
      batches: { north: [batch(1_000, A), batch(2_000, tons), batch(3_000, entry('A', 2, 't'))] },
    },
    ['A', 2_000, 3_000],
  ],
  [
    'units of warehouses differ since the second unit came',
    'unit-differs',
    {
      batches: {
        north: [batch(1_000, A)],
        south: [batch(1_500, A), batch(2_000, tons), batch(2_500, tons)],
        west: [batch(3_000, tons)],
      },
    },
    ['A', 2_000, null],
  ],
  [
    'a unit is odd since the first batch that had it without interruption',
    'unit-differs',
    {
      batches: {
        north: [
          batch(1_000, entry('B', 1, 'KG')),
          batch(2_000, B),
          batch(3_000, entry('B', 1, 'KG')),
          batch(4_000, B, entry('C', 1, 'KG')),
        ],
        south: [batch(500, A, B)],
        west: [batch(500, entry('C', 1, 'KG')), batch(600, entry('C', 1))],
      },
    },
    ['KG', 3_000, 4_000],
  ],
  [
    'a unit is odd, and differs from the list, since the first batch that has not expired',
    'unit-differs',
    {
      codes: [{ MaterialCode: 'A', Unit: 'kg' }],
      batches: { north: [expired(1_000, B), expired(2_000, B, dotted), batch(3_000, B, dotted)] },
    },
    ['A', 3_000, 3_000],
    ['kg.', 3_000, 3_000],
  ],
  [
    'a unit of several warehouses is odd since the first of them sent it',
    'unit-differs',
    {
      batches: {
        north: [batch(1_000, A, entry('B', 1, 'KG'))],
        south: [batch(2_000, A, B, entry('C', 1, 'KG'))],
      },
    },
    ['KG', 1_000, null],
  ],
  [
    'codes look alike since the later one came',
    'case-differs',
    { batches: { north: [batch(1_000, A), batch(2_000, A, entry('a', 1))], south: [batch(1_500, A)] } },
    ['a', 2_000, 2_000],
  ],
  [
    'codes look alike since the original came, if that is the later one',
    'case-differs',
    { batches: { north: [batch(1_000, entry('a', 1)), batch(2_000, A, entry('a', 1))] } },
    ['a', 2_000, 2_000],
  ],
])('%s', (_, kind, given, ...found) => {
  const settled = sinceOf(kind, given);
  expect(settled).toEqual(expect.arrayContaining(found));
});

const history = () =>
  stockWith({
    codes: ['A', 'B'],
    batches: {
      north: [batch(1_000, A), batch(2_000, entry('A', 3.25)), batch(3_000, entry('A', 325))],
      south: [batch(2_500, B)],
    },
  });
const kindsShown = (db: ReturnType<typeof history>['db']) =>
  shownFindings(db).map(({ kind, client, subject }) => `${kind} ${client} ${subject}`);

test('a moment has the findings of its batches, another one replaces them, and none shows those of the latest stock', () => {
  const stock = history();
  const { db } = stock;
  keepFindings(stock);
  const latest = ['power-of-ten north A'];
  expect(kindsShown(db)).toEqual(latest);
  showFindings(db, 2_999);
  expect(kindsShown(db)).toEqual([]);
  db.exec('UPDATE client SET has_all_batches = 1');
  showFindings(db, 1_000);
  expect(kindsShown(db)).toEqual(['no-snapshot south south', 'no-balance  B']);
  showFindings(db);
  expect(kindsShown(db)).toEqual(latest);
});

test('one warehouse is compared with the lists alone, also if its client was removed', () => {
  const { db } = history();
  db.exec(`UPDATE client SET is_warehouse = 0 WHERE name = 'north'`);
  showFindings(db, undefined, 'north');
  expect(kindsShown(db)).toEqual(['power-of-ten north A', 'no-balance  B']);
});

test('a file that does not know all batches, or has not read them, says nothing of a warehouse at a moment before those it has', () => {
  const { db } = history();
  showFindings(db, 1_000);
  expect(kindsShown(db)).toEqual(['no-balance  B']);
  db.exec(`UPDATE client SET has_all_batches = 1; UPDATE batch SET state = 'unread'`);
  showFindings(db, 1_000);
  expect(kindsShown(db)).toEqual(['no-snapshot south south']);
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

/** A stock with a warehouse that has sent nothing. */
const silentSince = (hours: number, client: Partial<Client> = {}) => {
  const stock = stockWith({ latest: [sent('north', 'A'), sent('silent')], codes: ['A'] });
  const item = { SilenceHours: 24, SilenceFrom: hoursAgo(hours).toISOString(), ...client };
  stock.db.exec(`DELETE FROM batch WHERE client = (SELECT id FROM client WHERE name = 'silent')`);
  stock.db.prepare(`UPDATE client SET item = ? WHERE name = 'silent'`).run(JSON.stringify(item));
  return stock;
};

test.each<[string, boolean, hoursAgo: number, silentFor: number, Partial<Client>?]>([
  ['a warehouse that has sent nothing is found once it is late', true, 0, 25],
  ['a warehouse that was just added is not', false, 0, 23],
  ['a warehouse is not found at a moment before it was late', false, 2, 25],
  ['nor is one of which nobody waits for a batch', false, 0, 25, { SilenceHours: 0 }],
  ['nor one that is locked', false, 0, 25, { LockedAt: '2026-01-01T00:00:00.000Z' }],
])('%s', (_, isFound, at, silentFor, client) => {
  const { db } = silentSince(silentFor, client);
  const found = isFound ? ['no-snapshot silent silent'] : [];
  showFindings(db, hoursAgo(at).getTime());
  expect(kindsShown(db)).toEqual(found);
  if (at > 0) return;
  showFindings(db, FOREVER);
  expect(kindsShown(db)).toEqual(found);
});

test('findings are kept again when a warehouse that has sent nothing becomes late', () => {
  const stock = silentSince(23);
  keepFindings(stock);
  expect(kindsShown(stock.db)).toEqual([]);
  vi.useFakeTimers({ now: hoursAgo(-2), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect([keepFindings(stock), keepFindings(stock)]).toEqual([true, false]);
  expect(kindsShown(stock.db)).toEqual(['no-snapshot silent silent']);
});

test('findings are kept once for each state of the stock', () => {
  const stock = history();
  expect(keepFindings(stock)).toBe(true);
  expect(keepFindings(stock)).toBe(false);
  changeStock(stock, () => stock.db.exec(`UPDATE client SET is_warehouse = 0 WHERE name = 'north'`));
  expect(keepFindings(stock)).toBe(true);
  expect(kindsShown(stock.db)).toEqual(['no-balance  A']);
});

test('findings are kept again if another process wrote after they were found', () => {
  const file = join(temporaryFolder(), 'stock.sqlite');
  const stock = makeStock({ north: [batch(1_000, A)], south: [batch(1_000, B)] }, file);
  const other = openStock(file);
  const exec = stock.db.exec.bind(stock.db);
  const spy = vi.spyOn(stock.db, 'exec').mockImplementation((sql) => {
    if (sql === 'BEGIN IMMEDIATE') {
      spy.mockRestore();
      changeStock(other, () => other.db.exec(`UPDATE client SET is_warehouse = 0 WHERE name = 'north'`));
    }
    exec(sql);
  });
  keepFindings(stock);
  expect([keepFindings(stock), keepFindings(stock)]).toEqual([true, false]);
  expect(kindsShown(stock.db)).toEqual(['unlisted-code south B']);
});

test('findings are shown while another process writes', () => {
  const file = join(temporaryFolder(), 'stock.sqlite');
  const { db } = makeStock({ north: [batch(1_000, A)] }, file);
  const writer = openStock(file).db;
  db.exec('PRAGMA busy_timeout = 0');
  inTransaction(writer, () => showFindings(db, 1_000));
  expect(kindsShown(db)).toEqual(['unlisted-code north A']);
});

test('a damaged latest batch is left out, and a damaged previous one is not compared', () => {
  const damage = (place: number) => {
    const { db } = stockWith({
      batches: { north: [batch(1_000, entry('A', 1)), batch(2_000, entry('A', -1))] },
    });
    db.prepare(`UPDATE batch SET state = 'damaged', damage = 'It is broken.' WHERE instant = ?`).run(place);
    showFindings(db, undefined, 'north');
    return shownFindings(db).map(({ kind, since, detail }) => [kind, since, detail]);
  };
  expect(damage(2_000)).toEqual([
    ['damaged-snapshot', 2_000, 'It is broken. This check left the batch out.'],
  ]);
  expect(damage(1_000)).toEqual([
    ['damaged-snapshot', 1_000, 'It is broken. So the latest batch was not compared with this batch.'],
    ['unlisted-code', 2_000, 'Has a balance, but is not in the list.'],
  ]);
});

test('of too many findings the first of each warehouse are shown, and the others are counted and found by material', () => {
  const codes = Array.from({ length: MAX_FINDINGS_OF_KIND }, (_, index) => `M${10_000 + index}`);
  const { db } = stockWith({ latest: [sent('north', ...codes), sent('south', 'Y', 'Z')] });
  showFindings(db, 1_000);
  const found = shownFindings(db);
  expect(found).toHaveLength(MAX_FINDINGS_OF_KIND + 1);
  expect(found.filter(({ client }) => client === 'south')).toHaveLength(2);
  expect(found.at(-1)).toMatchObject({
    client: 'north',
    subject: '2 more',
    since: null,
    instant: null,
    count: 2,
    detail: '2 more codes that have a balance but are not in the list.',
    materials: 'M19998 M19999',
  });
});
