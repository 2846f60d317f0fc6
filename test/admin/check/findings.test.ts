import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../admin/check/find-faults.ts';
import { unitsIn } from '../../../admin/check/units.ts';
import { entry } from './compared.ts';

const ORDER = 'OT0000001';

describe('all that is found', () => {
  test('comes by kind, then by subject, then by client, whatever the order of what is told', () => {
    const north = { client: 'north', entries: [entry('ABC-1', 't'), entry('NEW-1', 'kg', [ORDER])] };
    const south = { client: 'south', entries: [entry('NEW-1'), entry('abc-1')] };
    const codes = ['ABC-1', 'OLD-2', 'OLD-1', '\u041ELD-1'].map((MaterialCode) => ({
      MaterialCode,
      Unit: 'kg',
    }));
    const orders = ['OT0000003', 'OT0000002'];
    const found = findFaults({ codes, orders, latest: [north, south] });
    expect(found.map(({ kind, subject, client }) => `${kind} ${subject} ${client}`)).toEqual([
      'look-alike \u041ELD-1 ',
      'case-differs abc-1 south',
      'unlisted-code NEW-1 north',
      'unlisted-code NEW-1 south',
      'unlisted-code abc-1 south',
      'no-balance OLD-1 ',
      'no-balance OLD-2 ',
      'no-balance \u041ELD-1 ',
      `unlisted-order ${ORDER} north`,
      'unused-order OT0000002 ',
      'unused-order OT0000003 ',
      'unit-differs ABC-1 north',
    ]);
    const reversed = { codes: codes.toReversed(), orders: orders.toReversed(), latest: [south, north] };
    expect(findFaults(reversed)).toEqual(
      found.map((finding) => ({
        ...finding,
        detail: finding.detail.replace('north and south', 'south and north'),
      })),
    );
  });

  test('is nothing where there is nothing', () => {
    expect(findFaults({ codes: [], orders: [], latest: [] })).toEqual([]);
  });

  // What grows with the square would run into the test's time limit.
  test('is found in large lists and batches, too', () => {
    const codes = Array.from({ length: 50_000 }, (_, index) => ({ MaterialCode: `Сталь-${index}/А` }));
    const entries = Array.from({ length: 20_000 }, (_, index) => entry(`Cталь-${index}/А`, `unit ${index}`));
    const latest = ['north', 'south'].map((client) => ({ client, entries, previous: unitsIn(entries) }));
    expect(findFaults({ codes, orders: [], latest })).toHaveLength(40_000 + 50_000 + 20_000);
  });
});
