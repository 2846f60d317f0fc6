import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withProgress } from '../../admin/cli/terminal/terminal.ts';
import { writeRows } from '../../admin/formats/write-rows.ts';
import type { Column, Format } from '../../admin/text/output.ts';
import { formatAge } from '../../admin/text/time.ts';
import { joinFirstNames } from '../../admin/text/words.ts';
import { bytesOf, captureOutput } from './in-process.ts';

type Row = { code: string; balance?: number; orders: string[] };
const columns: Column<Row>[] = [
  { name: 'MaterialCode', title: 'Code', value: ({ code }) => code },
  { name: 'Balance', value: ({ balance }) => balance, align: 'right' },
  { name: 'Orders', value: ({ orders }) => orders },
];
const rows: Row[] = [
  { code: 'Сталь;"10"', balance: -2.5, orders: ['OT1', 'OT2'] },
  { code: '鋼e\u0301\u001b[31m\u202e', orders: [] },
  { code: 'A\ufeff\u00ad\u200b\u200c\u200d\u200e\u200f\u061cB', orders: [] },
];

const written = async (format: Format, given = rows, shown = columns) =>
  String(await bytesOf((sink) => writeRows(sink, format, shown, given)));

describe('rows', () => {
  test('are a table for people, without control characters', async () => {
    expect((await written({ kind: 'table' })).split('\n')).toEqual([
      `${'Code'.padEnd(50)}  Balance  Orders`,
      `${'-'.repeat(50)}  -------  -------`,
      `${'Сталь;"10"'.padEnd(50)}     −2.5  OT1 OT2`,
      '鋼e\u0301\\u001b[31m\\u202e',
      'A\\ufeff\\u00ad\\u200b\\u200c\\u200d\\u200e\\u200f\\u061cB',
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
    const [, line] = (await written({ kind: 'table', width: 20 }, [row])).split('\n');
    expect(line).toBe(`-----  -------  ${'-'.repeat(30)}`);
  });
});

describe('CSV', () => {
  const csv = { kind: 'csv', separator: ';', decimal: ',', hasByteOrderMark: true } as const;
  const withBalance = (code: string, balance: number) => ({ code, balance, orders: [] });

  test('has a byte-order mark, and the decimal sign in numbers only', async () => {
    expect(await written(csv, [withBalance('A,5.5', -81.597), withBalance('B', 1.5e21)])).toBe(
      '\uFEFFMaterialCode;Balance;Orders\r\nA,5.5;-81,597;\r\nB;1,5e+21;\r\n',
    );
    const plain = { ...csv, hasByteOrderMark: false, separator: ',', decimal: '.' } as const;
    const lines = (await written(plain)).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['MaterialCode,Balance,Orders', '"Сталь;""10""",-2.5,OT1 OT2']);
    for (const [index, line] of ['"A,5"', '-1,5'].entries()) {
      const alone = columns.slice(index, index + 1);
      expect(await written(csv, [withBalance('A,5', -1.5)], alone)).toContain(`\n${line}\r\n`);
    }
  });

  test.each(['=1+1', '+49', '-5', '@x', '\tx', '\rx', '\nx', '＝1+1', '＋49', '－5', '＠x', "'=1", "''-"])(
    'has an apostrophe before the text %j',
    async (code) => {
      const [, line = ''] = (await written(csv, [withBalance(code, 1)])).split(/Orders\r\n/);
      expect(line.replace('"', '').startsWith(`'${code}`)).toBe(true);
    },
  );

  test.each([
    ['kg;=1+1', "kg;'=1+1"],
    ['kg,=1+1', "kg,'=1+1"],
    ['kg\t=1+1', "kg\t'=1+1"],
    ['kg\n=1+1', "kg\n'=1+1"],
    ['kg\r\n@x', "kg\r\n'@x"],
    ['=a;-b,+c;@d', "'=a;'-b,'+c;'@d"],
    ['kg;＝1', "kg;'＝1"],
    ['kg;"=1+1;"', 'kg;"\'=1+1;"'],
    ["kg;'=1", "kg;''=1"],
    ['kg;1=1, a-b', 'kg;1=1, a-b'],
  ])('has an apostrophe behind each separator in the text %j', async (code, guarded) => {
    const [, cell] = (await written({ ...csv, hasByteOrderMark: false }, [withBalance(code, 1)])).split(
      /Orders\r\n|;1;\r\n/,
    );
    expect(cell?.replaceAll(/^"|"$/g, '').replaceAll('""', '"')).toBe(guarded);
  });
});

test('JSON in CSV stays JSON, and has escapes where a spreadsheet would begin a formula', async () => {
  const json = JSON.stringify(['=1', "a;=1,'+1", '"=1', ',"=1', { '@x': -1 }]);
  const shown = [{ name: 'Any:json', isJson: true as const, value: () => json }];
  const csv = { kind: 'csv', separator: ';', decimal: ',', hasByteOrderMark: false } as const;
  const [, line = ''] = (await written(csv, [rows[0] ?? { code: '', orders: [] }], shown)).split('\r\n');
  const cell = line.replaceAll(/^"|"$/g, '').replaceAll('""', '"');
  expect(cell).toBe(String.raw`["\u003d1","a;\u003d1,'\u002b1","\"=1",",\"=1",{"\u0040x":-1}]`);
  expect(JSON.parse(cell)).toEqual(JSON.parse(json));
});

test('an age is in the largest unit that counts at least 2', () => {
  const ages = [0, 119, 120, 7_199, 7_200, 172_799, 172_800].map((seconds) =>
    formatAge(new Date(0), new Date(seconds * 1_000)),
  );
  expect(ages).toEqual(['0 s', '119 s', '2 min', '119 min', '2 h', '47 h', '2 d']);
});

test('a progress bar estimates the rest once it has run for 2 seconds', async () => {
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    process.stderr.isTTY = isTTY;
    vi.useRealTimers();
  });
  const { stderr } = await captureOutput(async () => {
    await withProgress('Writing', 1_000, async (reach) => {
      vi.advanceTimersByTime(400);
      reach(1);
      vi.advanceTimersByTime(1_600);
      reach(500);
      reach(1_000);
    });
    return 0;
  });
  expect(stderr).toMatch(
    / 0 % \(1 of 1\u202f000\).* 50 % \(500 of 1\u202f000, 2 s left\).* 100 % \(1\u202f000 of 1\u202f000\)/s,
  );
});

test.each([
  ['AB', 2, 'A and B'],
  ['ABCDEF', 6, 'A, B, C, D, E and F'],
  ['ABCDEFG', 7, 'A, B, C, D, E and 2 more'],
  ['ABCDEF', 1_200, 'A, B, C, D, E and 1\u202f195 more'],
])('the names %s of %i are shown as "%s"', (names, count, shown) => {
  expect(joinFirstNames([...names], count)).toBe(shown);
});
