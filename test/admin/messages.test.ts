import { expect, test } from 'vitest';
import { summaryOf } from '../../admin/messages/en.ts';
import type { Concern } from '../../admin/stock/tables/work.ts';

const NOVEMBER_20 = Date.parse('2026-11-20T08:40:00Z');
const NOVEMBER_24 = Date.parse('2026-11-24T20:18:00Z');
const words = { count: String, balance: String, moment: (at: number) => String(new Date(at).getUTCDate()) };

const concern = (kind: string, findings: object[], parts: Partial<Concern> = {}): Concern => ({
  ...{ kind, severity: 'error', state: 'open', version: null },
  ...{ count: findings.length, materials: findings.length },
  ...{ first: NOVEMBER_20, since: NOVEMBER_20 },
  ...{ findings: findings.map((data) => ({ subject: 'Rohr-4/007', since: NOVEMBER_20, data })), ...parts },
});
const listed = { from: 'list', unit: 't', listed: 'kg' };
const half = { entries: 44, previousEntries: 110 };
const late = (usual: number | null) =>
  concern('late', [{ lastBatchAt: new Date(NOVEMBER_24).toISOString(), usual }]);
const ofKind = (kind: string) => concern(kind, [{}]);

test.for<[Concern, string]>([
  [concern('unit-differs', [listed, listed]), '2 materials come in t instead of kg since 20'],
  [concern('unit-differs', [listed]), 'Rohr-4/007 comes in t instead of kg since 20'],
  // Of the others, nobody knows the units.
  [
    concern('unit-differs', [listed], { count: 2, materials: 2 }),
    '2 materials come in different units since 20',
  ],
  [
    concern('unit-differs', [listed, { ...listed, unit: 'g' }]),
    '2 materials come in different units since 20',
  ],
  [
    concern('unit-differs', [listed, listed], { since: NOVEMBER_24 }),
    '2 materials come in t instead of kg since 20, the newest since 24',
  ],
  [concern('power-of-ten', [{ places: 3, material: 'A' }]), 'A × 1000 since 20'],
  [concern('power-of-ten', [{ places: -1, material: 'A' }]), 'A ÷ 10 since 20'],
  [
    concern('power-of-ten', [{ places: 3 }, { places: 2 }]),
    '2 materials with a moved decimal point since 20',
  ],
  // Of the others, nobody knows the factors.
  [
    concern('power-of-ten', [{ places: 3 }], { count: 2, materials: 2 }),
    '2 materials with a moved decimal point since 20',
  ],
  [concern('halved-snapshot', [half]), '44 of 110 entries since 20'],
  [concern('zero-snapshot', [{ entries: 44 }]), 'All 44 balances are 0 since 20'],
  [
    concern('refused-request', [{ refusals: 3, rule: 'StockBalance: number' }]),
    'Refused 3 times in the last day: StockBalance is not a number (not counted: 401, 413 and 429 of the gateway)',
  ],
  [late(null), 'No batch since 24'],
  [late(1), 'No batch since 24, usually once a day'],
  [late(2), 'No batch since 24, usually twice a day'],
  [late(3), 'No batch since 24, usually 3 times a day'],
  [ofKind('no-snapshot'), 'No batch has come yet'],
  [ofKind('damaged-snapshot'), 'The batch of 20 cannot be read completely'],
  [ofKind('sign-flipped'), 'Rohr-4/007 changed between positive and negative since 20'],
  [ofKind('look-alike'), '1 code differs from another code only in letters that look the same since 20'],
  [ofKind('unlisted-code'), '1 balance has a code that is not in the list'],
  [concern('unlisted-code', [], { count: 2 }), '2 balances have codes that are not in the list'],
])('Concern %# becomes one English sentence', ([of, sentence]) => {
  expect(summaryOf(of, words)).toBe(sentence);
});
