import { expect, test } from 'vitest';
import { suddenChanges } from '../../../admin/check/sudden-changes.ts';
import { entryOf } from '../../browser/sample.ts';

type Sent = Record<string, number | [balance: number, unit: string]>;

const snapshotOf = (sent: Sent, hour: number) => ({
  client: 'north',
  snapshotId: `at-${hour}`,
  receivedAt: new Date(Date.UTC(2026, 0, 1, hour)),
  requestId: 'test',
  entries: Object.entries(sent).map(([code, values]) =>
    typeof values === 'number' ? entryOf(code, values) : entryOf(code, ...values),
  ),
});

const ABOUT_BEFORE = '(2026-01-01 08:00:00 UTC)';
const ABOUT_NOW = '(2026-01-01 09:00:00 UTC)';
const balances = (now: string, before: string) =>
  `it is ${now} ${ABOUT_NOW}, but was ${before} in the previous snapshot ${ABOUT_BEFORE}`;
const DECIMAL = 'Ask north whether its decimal separator or its unit changed.';
const SIGN = 'Ask north whether the new sign is right.';
const CONVERTED = 'Ask north whether it also converted the balance.';

const many = (balance: number) =>
  Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`M-${1_000 + index}`, balance + index]));

test.each<[title: string, before: Sent, now: Sent, ...found: string[]]>([
  [
    'finds a snapshot with fewer than half of the entries',
    { A: 1, B: 2, C: 3 },
    { A: 1 },
    `halved-snapshot at-9: Has 1 entry ${ABOUT_NOW}, but the previous snapshot had 3 ${ABOUT_BEFORE}. Ask north whether it sent all materials.`,
  ],
  ['accepts a snapshot with half of the entries', { A: 1, B: 2 }, { A: 1 }],
  [
    'finds a snapshot whose balances are all 0',
    { A: 1, B: 0, C: 2 },
    { A: 0, B: 0, C: -0 },
    `zero-snapshot at-9: Has 0 for all 3 materials ${ABOUT_NOW}, but the previous snapshot had 2 balances other than 0 ${ABOUT_BEFORE}. Ask north whether its stock is empty.`,
  ],
  ['accepts balances that are all 0 as before', { A: 0, B: 0 }, { A: 0, B: 0 }],
  ['accepts a single balance of 0', { A: 1 }, { A: 0 }],
  [
    'finds a balance that was multiplied by a power of ten',
    { A: 81.597, B: 5 },
    { A: 81597, B: 6 },
    `power-of-ten A: Multiplied by 1,000: ${balances('81597 kg', '81.597 kg')}. ${DECIMAL}`,
  ],
  [
    'finds a balance that was divided by a power of ten, however small',
    { A: -0.3 },
    { A: -3e-8 },
    `power-of-ten A: Divided by 10,000,000: ${balances('-3e-8 kg', '-0.3 kg')}. ${DECIMAL}`,
  ],
  [
    'compares all of the 15 digits',
    { A: 123456789.012345, B: 123456789.012345 },
    { A: 123456789012345, B: 123456789012346 },
    `power-of-ten A: Multiplied by 1,000,000: ${balances('123456789012345 kg', '123456789.012345 kg')}. ${DECIMAL}`,
  ],
  [
    'finds balances whose sign flipped, either way',
    { A: 7.5, B: -2, C: 0, D: 1 },
    { A: -7.5, B: 3, C: -1, D: 0 },
    `sign-flipped A: Turned from positive to negative: ${balances('-7.5 kg', '7.5 kg')}. ${SIGN}`,
    `sign-flipped B: Turned from negative to positive: ${balances('3 kg', '-2 kg')}. ${SIGN}`,
  ],
  [
    'finds another unit, and no power of ten beside it',
    { A: 5000 },
    { A: [5, 't'] },
    `unit-differs A: Changed from "kg" to "t": ${balances('5 t', '5000 kg')}. ${CONVERTED}`,
  ],
  [
    'finds more than 5 equal changes of a snapshot as one',
    { ...many(1.5), other: 2 },
    { ...Object.fromEntries(Object.entries(many(1.5)).map(([code, old]) => [code, old * 10])), other: 200 },
    `power-of-ten at-9: Multiplied by 10 for 1,200 balances (M-1000, M-1001, M-1002, M-1003, M-1004 and 1,195 more): M-1000 ${balances('15 kg', '1.5 kg').slice('it '.length)}. ${DECIMAL}`,
    `power-of-ten other: Multiplied by 100: ${balances('200 kg', '2 kg')}. ${DECIMAL}`,
  ],
  ['accepts materials that come, go and change', { A: 1, B: 2, C: 0 }, { A: 2, C: 10, D: 20 }],
])('%s', (_, before, now, ...found) => {
  const findings = suddenChanges(snapshotOf(before, 8), snapshotOf(now, 9));
  expect(findings.every(({ client }) => client === 'north')).toBe(true);
  expect(findings.map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`)).toEqual(found);
});
