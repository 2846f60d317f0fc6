import { expect, test } from 'vitest';
import { type Batch, entry } from '../make-stock.ts';
import { findingsIn } from './checked-stock.ts';

type Sent = Record<string, number | [balance: number, unit: string]>;

const hour = (hours: number) => Date.UTC(2026, 0, 1, hours);

/** The batches of 8:00, 9:00 and so on, or earlier if there are more than two. */
const batchesOf = (...sent: Sent[]) =>
  sent.map((balances, index): Batch => {
    const entries = Object.entries(balances).map(([code, values]) =>
      typeof values === 'number' ? entry(code, values) : entry(code, ...values),
    );
    return { at: hour(10 - sent.length + index), entries };
  });

const changesBetween = (...sent: Sent[]) =>
  findingsIn({ codes: [], batches: { north: batchesOf(...sent) } }).filter(
    ({ kind }) => kind !== 'unlisted-code',
  );

const ABOUT_BEFORE = '(2026-01-01 08:00:00 UTC)';
const ABOUT_NOW = '(2026-01-01 09:00:00 UTC)';
const ID = `north-${hour(9)}`;
const balances = (now: string, before: string) =>
  `it is ${now} ${ABOUT_NOW}, but was ${before} in the previous batch ${ABOUT_BEFORE}.`;
const DECIMAL = 'Ask north whether its decimal separator or its unit changed.';
const SIGN = 'Ask north whether the new sign is right.';
const CONVERTED = 'Ask north whether it also converted the balance.';

/** `count` balances from this one on. */
const many = (count: number, balanceOf: (index: number) => number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`M-${1_000 + index}`, balanceOf(index)]));

test.each<[title: string, before: Sent, now: Sent, ...found: string[]]>([
  [
    'finds a batch with fewer than half of the entries',
    { A: 1, B: 2, C: 3 },
    { A: 1 },
    `halved-snapshot ${ID}: Has 1 entry ${ABOUT_NOW}, but the previous batch had 3 ${ABOUT_BEFORE}. Ask north whether it sent all materials.`,
  ],
  ['accepts a batch with half of the entries', { A: 1, B: 2 }, { A: 1 }],
  [
    'finds a batch of at least two balances that are all 0',
    { A: 1, B: 0 },
    { A: 0, B: -0 },
    `zero-snapshot ${ID}: Has 0 for all 2 materials ${ABOUT_NOW}, but the previous batch had 1 balance other than 0 ${ABOUT_BEFORE}. Ask north whether its stock is empty.`,
  ],
  ['accepts balances that are all 0 as before', { A: 0, B: 0 }, { A: 0, B: 0 }],
  ['accepts a single balance of 0', { A: 1 }, { A: 0 }],
  [
    'finds a balance that was multiplied by a power of ten',
    { A: 81.597, B: 5 },
    { A: 81597, B: 6 },
    `power-of-ten A: Multiplied by 1,000: ${balances('81597 kg', '81.597 kg')} ${DECIMAL}`,
  ],
  [
    'finds a balance that was divided by a power of ten, however small',
    { A: -0.325 },
    { A: -3.25e-8 },
    `power-of-ten A: Divided by 10,000,000: ${balances('-3.25e-8 kg', '-0.325 kg')} ${DECIMAL}`,
  ],
  [
    'compares all of the 15 digits',
    { A: 123456789.012345, B: 123456789.012345 },
    { A: 123456789012345, B: 123456789012346 },
    `power-of-ten A: Multiplied by 1,000,000: ${balances('123456789012345 kg', '123456789.012345 kg')} ${DECIMAL}`,
  ],
  ['accepts a power of ten of one or two digits', { A: 1, B: 250, C: -7 }, { A: 10, B: 25, C: -70_000 }],
  ['accepts it for two balances of the same factor', { A: 1, B: 2 }, { A: 10, B: 20 }],
  ['accepts it for three balances of two factors', { A: 1, B: 2, C: 3 }, { A: 10, B: 20, C: 300 }],
  [
    'finds it for three balances of the same factor',
    { A: 1, B: 2, C: 40 },
    { A: 10, B: 20, C: 400 },
    `power-of-ten A: Multiplied by 10: ${balances('10 kg', '1 kg')} ${DECIMAL}`,
    `power-of-ten B: Multiplied by 10: ${balances('20 kg', '2 kg')} ${DECIMAL}`,
    `power-of-ten C: Multiplied by 10: ${balances('400 kg', '40 kg')} ${DECIMAL}`,
  ],
  [
    'finds balances whose sign flipped, either way',
    { A: 7.5, B: -2, C: 0, D: 1 },
    { A: -7.5, B: 3, C: -1, D: 0 },
    `sign-flipped A: Turned from positive to negative: ${balances('-7.5 kg', '7.5 kg')} ${SIGN}`,
    `sign-flipped B: Turned from negative to positive: ${balances('3 kg', '-2 kg')} ${SIGN}`,
  ],
  ['accepts a sign that flips from or to little', { A: 0.3, B: -500 }, { A: -400, B: 0.3 }],
  [
    'finds another unit, and no power of ten beside it',
    { A: 5000 },
    { A: [5, 't'] },
    `unit-differs A: Changed from "kg" to "t": ${balances('5 t', '5000 kg')} ${CONVERTED}`,
  ],
  [
    'finds another sign and another unit of one balance',
    { A: 5000 },
    { A: [-5, 't'] },
    `unit-differs A: Changed from "kg" to "t": ${balances('-5 t', '5000 kg')} ${CONVERTED}`,
    `sign-flipped A: Turned from positive to negative: ${balances('-5 t', '5000 kg')} ${SIGN}`,
  ],
  [
    'finds more than 5 equal changes of a batch as one',
    { ...many(1_200, (index) => index + 1.5), other: 2.13 },
    { ...many(1_200, (index) => 10 * (index + 1.5)), other: 213 },
    `power-of-ten ${ID}: Multiplied by 10 for 1,200 balances (M-1000, M-1001, M-1002, M-1003, M-1004 and 1,195 more): M-1000 ${balances('15 kg', '1.5 kg').slice('it '.length)} ${DECIMAL}`,
    `power-of-ten other: Multiplied by 100: ${balances('213 kg', '2.13 kg')} ${DECIMAL}`,
  ],
  ['accepts materials that come, go and change', { A: 1, B: 2, C: 0 }, { A: 2, C: 10, D: 20 }],
])('%s', (_, before, now, ...found) => {
  const findings = changesBetween(before, now);
  expect(
    findings.map(({ kind, subject, detail, advice }) => `${kind} ${subject}: ${detail} ${advice}`),
  ).toEqual(found);
  for (const { client, since, instant } of findings) {
    expect({ client, since, instant }).toEqual({ client: 'north', since: hour(9), instant: hour(9) });
  }
});

test('noise around zero of a balance that once was large is no change of sign', () => {
  expect(changesBetween({ A: 730 }, { A: 20 }, { A: -15 })).toEqual([]);
  expect(changesBetween({ A: [730, 't'] }, { A: 20 }, { A: -15 })).toEqual([
    expect.objectContaining({ kind: 'sign-flipped', subject: 'A' }),
  ]);
});

test('five equal changes are a finding each, and six are one finding of each of their materials', () => {
  const materialsOf = (count: number) =>
    changesBetween(
      many(count, () => 7),
      many(count, () => -7),
    ).map(({ materials }) => materials);
  expect(materialsOf(5)).toEqual(['M-1000', 'M-1001', 'M-1002', 'M-1003', 'M-1004']);
  expect(materialsOf(6)).toEqual(['M-1000 M-1001 M-1002 M-1003 M-1004 M-1005']);
});

test('only the last two batches are compared', () => {
  // The batch before has no A.
  expect(changesBetween({ A: 81.597, B: 1 }, { B: 1 }, { A: 81597, B: 1 })).toEqual([]);
  expect(changesBetween({ A: 7 }, { A: -7 }, { A: -7 })).toEqual([]);
});

test('findings of one kind and material are in the order of their warehouses', () => {
  const found = findingsIn({
    codes: [{ MaterialCode: 'A', Unit: 'kg' }],
    batches: { north: batchesOf({ A: [1, 't'] }), south: batchesOf({ A: [1, 'm'] }, { A: 1 }) },
  });
  expect(found.map(({ client, detail }) => `${client}: ${detail.slice(0, 7)}`)).toEqual([
    ': Comes i',
    'north: Has the',
    'south: Changed',
  ]);
});
