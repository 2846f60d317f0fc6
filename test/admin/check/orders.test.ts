import { describe, expect, test } from 'vitest';
import { entry, findingsOf } from './compared.ts';

const [first, second] = ['OT0000001', 'OT0000002'];
const naming = (client: string, orders: Record<string, string[]>) => ({
  client,
  entries: Object.entries(orders).map(([code, named]) => entry(code, 'kg', named)),
});
const MEND = 'Add it to the list, or correct it in the warehouse system.';

describe('a purchase order that the list lacks', () => {
  const find = findingsOf.bind(undefined, 'unlisted-order');

  test('is found with the materials that name it, of each client', () => {
    const latest = [
      naming('south', { B: [second, second], A: [first, second] }),
      naming('north', { C: [second] }),
    ];
    expect(find({ orders: [first], latest })).toEqual([
      {
        client: 'north',
        subject: second,
        detail: `1 material (C) names it, and the list lacks it. ${MEND}`,
      },
      {
        client: 'south',
        subject: second,
        detail: `2 materials (A and B) name it, and the list lacks it. ${MEND}`,
      },
    ]);
  });

  test('is found with the first of many materials', () => {
    const codes = Array.from({ length: 1_234 }, (_, index) => `M-${1_000 + index}`);
    const latest = [naming('north', Object.fromEntries(codes.map((code) => [code, [first]])))];
    expect(find({ latest })).toEqual([
      {
        client: 'north',
        subject: first,
        detail: `1,234 materials (M-1000, M-1001, M-1002, M-1003, M-1004 and 1,229 more) name it, and the list lacks it. ${MEND}`,
      },
    ]);
  });

  test('is not found where the list has all', () => {
    expect(find({ orders: [first, second], latest: [naming('north', { A: [second], B: [] })] })).toEqual([]);
  });
});

describe('a purchase order of the list that nothing names', () => {
  const find = findingsOf.bind(undefined, 'unused-order');

  test('is found', () => {
    expect(find({ orders: [second, first], latest: [naming('north', { A: [second] })] })).toEqual([
      {
        client: '',
        subject: first,
        detail:
          'Is in the list, and no balance in the latest snapshot of north names it. Remove it from the list if it is closed.',
      },
    ]);
  });

  test('is not found where any client names it', () => {
    const latest = [naming('north', { A: [first] }), naming('south', { A: [second] })];
    expect(find({ orders: [first, second], latest })).toEqual([]);
  });

  test('is not found where nothing was ever sent', () => {
    expect(find({ orders: [first] })).toEqual([]);
  });
});
