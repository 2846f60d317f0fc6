import { zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../admin/cli/output.ts';
import { parseWorkbook } from '../../../admin/formats/parse-workbook.ts';
import { writeWorkbook } from '../../../admin/formats/write-workbook.ts';
import { faultsOf, noticesOf, read } from '../lists/rows.ts';

type Row = { text: unknown; value?: unknown };
const write = (rows: Row[]) => writeWorkbook(columnsOf<Row>({ Text: 'text', Value: 'value' }), rows);

describe('a workbook', () => {
  test('keeps texts that look like something else, numbers, and times in UTC', async () => {
    const at = new Date('2026-03-01T08:15:30.250Z');
    const { rows } = await parseWorkbook(
      await write([
        { text: '00123', value: 81.597 },
        { text: '1E5', value: JSON.rawJSON('7.85') },
        { text: '=1+1', value: JSON.rawJSON('12345678901234567') },
        { text: ['OT1', 'OT2'], value: 1e-130 },
        { text: undefined, value: -0.5 },
      ]),
    );
    expect(rows).toEqual([
      ['Text', 'Value'],
      ['00123', 81.597],
      ['1E5', 7.85],
      ['=1+1', '12345678901234567'],
      ['OT1 OT2', 1e-130],
      ['', -0.5],
    ]);
    const times = await parseWorkbook(await write([{ text: at }]));
    expect(times.rows[1]?.[0]).toEqual({
      fault: expect.stringMatching(/^A2 has a date; .*format the column as text/),
    });
  });

  test('is refused for a text that fits in no cell', async () => {
    await expect(write([{ text: 'x'.repeat(32_768) }])).rejects.toThrow(/32,768 characters.*\.csv or \.json/);
  });
});

describe('an import of a workbook', () => {
  const KEY = 'MaterialCode';

  test('reads cells by the titles, from the first sheet that is not hidden', async () => {
    const rows = [
      [],
      [KEY, 'Size', 'Weight:number', 'Any:json', null],
      ['00123', 12, 7.85, true],
      [7, 'M', '12345678901234567890', '[1,"a"]'],
      ['C', null, '1e3', 7],
    ];
    const content = Buffer.from(
      await writeXlsx({
        sheets: [
          { name: 'Secret', rows: [['x']], hidden: true },
          { name: 'Codes', rows },
          { name: 'Other', rows: [] },
        ],
      }),
    );
    expect(await read(content)).toEqual([
      {
        identifier: '00123',
        line: 3,
        unit: 'row',
        attributes: { Size: { S: '12' }, Weight: { N: '7.85' }, Any: { BOOL: true } },
        cleared: [],
      },
      expect.objectContaining({
        identifier: '7',
        attributes: {
          Size: { S: 'M' },
          Weight: { N: '12345678901234567890' },
          Any: { L: [{ N: '1' }, { S: 'a' }] },
        },
      }),
      expect.objectContaining({ attributes: { Weight: { N: '1000' }, Any: { N: '7' } }, cleared: ['Size'] }),
    ]);
    expect(await noticesOf(content)).toEqual([
      'Only the first of 3 sheets is read: "Codes".',
      '1 MaterialCode is a number, such as 7. If zeros in front are missing, format the column as text and type it again.',
    ]);
  });

  test('refuses formulas, dates, errors and numbers that lost digits, each with its cell', async () => {
    const content = await writeXlsx({
      sheets: [
        {
          name: 'Codes',
          rows: [
            [KEY, 'Name', 'Weight:number'],
            ['A', new Date('2026-01-02'), '309,40'],
            ['B', true, null],
            [1234567890123456800, 'x', null],
          ],
          cells: new Map([
            ['2,2', { formula: 'SUM(A1:A2)', formulaResult: 3 }],
            ['3,1', { type: 'error' as const, value: '#N/A' }],
          ]),
        },
      ],
    });
    expect(await faultsOf(Buffer.from(content))).toEqual([
      'The file is refused because of 6 faults. Nothing was written.',
      expect.stringMatching(/^row 2: column "Name": B2 has a date; .*format the column as text/),
      'row 2: column "Weight:number": "309,40" is a comma within a number; write 309.40',
      'row 3: column "Name": it is true or false; end the title with :json to keep it as such',
      'row 3: column "Weight:number": C3 has a formula; copy the cells and paste their values',
      'row 4: column "Name": B4 has the error #N/A; correct it',
      expect.stringMatching(/^row 4: .*more digits than a spreadsheet keeps; format the column as text/),
    ]);
  });

  const zip = (parts: Record<string, Uint8Array>) => Buffer.from(zipSync(parts));
  const part = Buffer.from('x');

  /** Changes the size of the last part in the archive's directory. */
  const claimSize = (archive: Buffer, size: number) => {
    archive.writeUInt32LE(size, archive.lastIndexOf('PK\u0001\u0002') + 24);
    return archive;
  };

  test.each([
    [
      'an OpenDocument spreadsheet',
      () => zip({ mimetype: part, 'content.xml': part }),
      /\(\.ods\)\. Save it as "Excel workbook/,
    ],
    ['a binary workbook', () => zip({ 'xl/workbook.bin': part }), /\(\.xlsb\)/],
    ['another archive', () => zip({ 'a.txt': part }), /an archive, not a workbook/],
    [
      'a workbook that is cut off',
      async () => (await write([{ text: 'A' }])).subarray(0, 200),
      /its end is missing/,
    ],
    [
      'a workbook with nothing in it',
      () => zip({ '[Content_Types].xml': part }),
      /cannot be read: No root element/,
    ],
    [
      'a part that hides its size',
      () => zip({ '[Content_Types].xml': part, 'xl/workbook.xml': Buffer.alloc(0) }),
      /one of its parts is empty/,
    ],
    [
      'a workbook that unpacks to 300 MB',
      () => claimSize(zip({ '[Content_Types].xml': part }), 300 * 1024 * 1024),
      /larger than any list/,
    ],
  ])('refuses %s', async (_what, content, words) => {
    expect((await faultsOf(await content())).join('\n')).toMatch(words);
  });
});
