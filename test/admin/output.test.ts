import { describe, expect, test } from 'vitest';
import type { Column, Format } from '../../admin/cli/output.ts';
import { plot } from '../../admin/cli/plot.ts';
import { formatAge } from '../../admin/cli/time.ts';
import { writeRows } from '../../admin/formats/write-rows.ts';

type Row = { code: string; balance?: number; orders: string[] };
const columns: Column<Row>[] = [
  { name: 'MaterialCode', title: 'Code', value: ({ code }) => code },
  {
    name: 'Balance',
    value: ({ balance }) => balance,
    align: 'right',
  },
  { name: 'Orders', value: ({ orders }) => orders },
];
const rows: Row[] = [
  { code: 'Сталь;"10"', balance: -2.5, orders: ['OT1', 'OT2'] },
  { code: '鋼e\u0301\u001b[31m\u202e', orders: [] },
];

const written = async (format: Format, given: Row[] = rows) => {
  let text = '';
  await writeRows(
    async (piece) => {
      text += piece;
    },
    format,
    columns,
    given,
  );
  return text;
};

describe('rows', () => {
  test('are a table for people, without control characters', async () => {
    expect((await written({ kind: 'table' })).split('\n')).toEqual([
      'Code                 Balance  Orders',
      '-------------------  -------  -------',
      'Сталь;"10"              -2.5  OT1 OT2',
      '鋼e\u0301\\u001b[31m\\u202e',
      '',
    ]);
  });

  test('continue on the next line in a narrow terminal, in the last column only', async () => {
    const row = { code: 'ABC-1', balance: 1, orders: ['OT0000001', 'OT0000002', 'OT0000003', 'OT0000004'] };
    expect((await written({ kind: 'table', width: 50 }, [row])).split('\n')).toEqual([
      'Code   Balance  Orders',
      '-----  -------  ----------------------------------',
      'ABC-1        1  OT0000001 OT0000002 OT0000003',
      '                OT0000004',
      '',
    ]);
  });
});

describe('CSV', () => {
  const csv = { kind: 'csv', separator: ';', decimal: ',', hasByteOrderMark: true } as const;
  const withBalance = (code: string, balance: number) => ({ code, balance, orders: [] });

  test('has a byte-order mark, and the decimal sign in numbers only', async () => {
    expect(await written(csv, [withBalance('A,5.5', -81.597), withBalance('B', 1.5e21)])).toBe(
      '\uFEFFMaterialCode;Balance;Orders\r\nA,5.5;-81,597;\r\nB;1,5e+21;\r\n',
    );
    expect(
      await written(
        { ...csv, hasByteOrderMark: false, separator: ',', decimal: '.' },
        [rows[0]].flatMap((row) => row ?? []),
      ),
    ).toBe('MaterialCode,Balance,Orders\r\n"Сталь;""10""",-2.5,OT1 OT2\r\n');
  });

  test.each(['=1+1', '+49', '-5', '@x', '\tx', '\rx', "'=1", "''-"])(
    'has an apostrophe before the text %j',
    async (code) => {
      expect(
        (await written({ ...csv, hasByteOrderMark: false }, [withBalance(code, 1)])).split('\n')[1],
      ).toMatch(new RegExp(`^"?'${code.replace(/[+]/, '\\$&')}`));
    },
  );
});

describe('a time', () => {
  test('is formatted as an age in the largest unit that counts at least 2', () => {
    const now = new Date('2026-03-01T00:00:00Z');
    const ages = [0, 119, 120, 7_199, 7_200, 172_799, 172_800].map((s) =>
      formatAge(new Date(now.getTime() - s * 1_000), now),
    );
    expect(ages).toEqual(['0 s', '119 s', '2 min', '119 min', '2 h', '47 h', '2 d']);
  });
});

describe('a plot', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 2, day));

  test('shows a value until the next one', () => {
    const points = [
      { at: at(1), value: 0 },
      { at: at(3), value: 10 },
      { at: at(9), value: -5.5 },
    ];
    expect(plot(points, { width: 46, height: 4 })).toEqual([
      '  10 ┤         ╭─────────────────────────────╮',
      '     ┤         │                             │',
      '     ┤─────────╯                             │',
      '-5.5 ┤                                       ╰',
      '      2026-03-01 00:00        2026-03-09 00:00',
    ]);
  });

  test('of one value is a line, and of none is nothing', () => {
    expect(plot([{ at: at(1), value: 3 }], { width: 20, height: 4 })[0]).toMatch(/^3 ┤─+$/);
    expect(plot([], { width: 20, height: 4 })).toEqual([]);
  });
});
