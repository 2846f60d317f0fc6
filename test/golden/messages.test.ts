import { expect, test } from 'vitest';
import { summaryOf } from '../../admin/messages/en.ts';
import { MAX_ROWS, writeMessage } from '../../admin/messages/write-message.ts';
import { kinds } from '../../admin/stock/checks/kinds.ts';
import type { Concern } from '../../admin/stock/tables/work.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

const SINCE = Date.parse('2026-11-20T07:40:00Z');
const NEWEST = Date.parse('2026-11-24T19:18:00Z');

/** Each finding has the place of its data as its subject, unless the data have another. */
const concern = (kind: string, findings: readonly object[], parts: Partial<Concern> = {}): Concern => ({
  ...{ kind, severity: 'error', state: 'open', version: null },
  ...{ count: findings.length, materials: findings.length, ways: 1 },
  ...{ oldestSince: SINCE, newestSince: SINCE },
  findings: findings.map((data, place) => ({
    ...{
      subject: `Rohr-4/00${place + 1}`,
      since: SINCE,
      ...data,
      data: { material: `Rohr-4/00${place + 1}`, ...data },
    },
  })),
  ...parts,
});

const difference = { balances: 1, value: 1.5, unit: 't', previousValue: 1500, previousUnit: 'kg' };
const ofBatch = { ...difference, from: 'previous batch' };
const codes = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'];
const listed = { from: 'list', unit: 't', listed: 'kg' };
const alike = (subject: string, original: string, knowsOriginal: number) => ({
  subject,
  original,
  knowsOriginal,
});

const concerns = [
  concern('damaged-snapshot', [{}], { materials: 0 }),
  concern('late', [{ lastBatchAt: new Date(SINCE).toISOString(), batchesADay: 2 }]),
  concern('no-snapshot', [{}]),
  concern('refused-request', [
    { refusals: 20, rule: 'StockBalance: number' },
    { refusals: 1, rule: 'JSON' },
    { refusals: 1, rule: 'PurchaseOrders[]: string' },
  ]),
  concern('halved-snapshot', [{ entries: 1044, previousEntries: 2110 }]),
  concern('zero-snapshot', [{ entries: 2110 }]),
  concern('power-of-ten', [{ ...difference, unit: 'kg', value: 1_500_000.25, places: 3 }]),
  concern('unit-differs', [{ ...ofBatch, balances: 22, codes, material: 'A-1' }], { materials: 22 }),
  concern(
    'unit-differs',
    Array.from({ length: MAX_ROWS }, (_, place) => ({ ...listed, since: place === 0 ? NEWEST : SINCE })),
    { count: 1021, materials: 1021, newestSince: NEWEST },
  ),
  concern('unit-differs', [{ from: 'usual spelling', subject: 'Kg', usualUnit: 'kg' }]),
  concern('sign-flipped', [{ ...difference, unit: 'kg', value: -1500 }, difference, difference]),
  concern('look-alike', [alike('А-1', 'A-1', 1), alike('С-77', 'C-77', 0)]),
  concern('case-differs', [alike('rohr-9', 'ROHR-9', 0)]),
  // The list, or a version that knows another kind, is nothing for a warehouse.
  concern('unlisted-code', [{}]),
];

test.each(['en', 'de', 'ru'] as const)(
  'a message in %s has each kind, in numbers and times of the language',
  async (language) => {
    const recipient = { client: 'north', displayName: 'München-Süd', language };
    const message = writeMessage(recipient, concerns, 'Europe/Berlin');
    const text = `${message?.subject}\n\n${message?.text}\n`;
    await expectGolden(text, `messages/${language}.txt`);
    // A finding may compare with other warehouses. Their codes are not for this one.
    expect(text).not.toMatch(/C-77|ROHR-9/);
  },
);

test('the list of work has a sentence for each kind', async () => {
  const signs = { number: String, moment: (at: number) => String(new Date(at).getUTCDate()) };
  const moved = (...places: number[]) =>
    concern(
      'power-of-ten',
      places.map((places) => ({ places })),
    );
  const sent = (batchesADay: number | null) =>
    concern('late', [{ lastBatchAt: new Date(NEWEST).toISOString(), batchesADay }]);
  const others = { count: 2, materials: 2, ways: 2 };
  const more = [
    ...[
      concern('unit-differs', [listed]),
      concern('unit-differs', [listed, listed], { newestSince: NEWEST }),
    ],
    concern('unit-differs', [listed, { ...listed, unit: 'g' }], { ways: 2 }),
    // Of the others, nobody knows the units or the factors.
    ...[concern('unit-differs', [listed], others), { ...moved(3), ...others }],
    ...[
      moved(-1),
      { ...moved(3, 2), ways: 2 },
      sent(null),
      sent(1),
      sent(3),
      concern('case-differs', [{}, {}]),
    ],
    ...kinds.flatMap(({ kind, list }) => (list ? [concern(kind, [{}]), concern(kind, [{}, {}])] : [])),
  ];
  const shown = [...concerns, ...more].map((of) => `${of.kind}: ${summaryOf(of, signs)}\n`);
  await expectGolden(shown.join(''), 'messages/summaries.txt');
});

test('each kind of a warehouse has a sentence, and no kind of a list', () => {
  const hasSentence = (kind: string) =>
    writeMessage(
      { client: 'north' },
      [concern(kind, [{ ...difference, lastBatchAt: '2026-11-20T07:40:00Z' }])],
      'UTC',
    );
  const ofList = kinds.filter(({ kind }) => hasSentence(kind) === undefined).map(({ kind }) => kind);
  expect(ofList).toEqual(['unlisted-code', 'unlisted-order', 'no-balance', 'unused-order']);
});

test.each([
  [1, 'У Rohr'],
  [2, 'У 2 материалов'],
  [5, 'У 5 материалов'],
  [21, 'У 21 материала'],
  [111, 'У 111 материалов'],
])('Russian words have the form for %i', (materials, words) => {
  const message = writeMessage(
    { client: 'north', language: 'ru' },
    [concern('sign-flipped', [difference], { materials })],
    'UTC',
  );
  expect(message?.text).toContain(words.replace('У Rohr', 'У материала Rohr'));
});

testEachIsCompared('messages');
