import { describe, expect, test } from 'vitest';
import { noticesOf, read } from './rows.ts';

const attributesOf = async (content: string | Buffer) =>
  (await read(content)).map(({ attributes }) => attributes);

describe('a CSV file is read', () => {
  test.each([
    ['commas', 'MaterialCode,Name\nA,Лист\n'],
    ['semicolons', 'MaterialCode;Name\nA;Лист\n'],
    ['CRLF and a byte-order mark', '\uFEFFMaterialCode;Name\r\nA;Лист\r\n'],
    ['CR', 'MaterialCode,Name\rA,Лист'],
    ['no line break at its end', 'MaterialCode,Name\nA,Лист'],
    ['blank lines', '\n \nMaterialCode,Name\n\n,\nA,Лист\n\n\n'],
    ["Excel's sep= line", '\uFEFFsep=;\r\nMaterialCode;Name\r\nA;Лист\r\n'],
    ['a key titled in other letters and spaces', 'Name, materialCODE \nЛист,A\n'],
    ['titles that hold the other separator', 'MaterialCode;"Name"\nA;Лист\n'],
  ])('with %s', async (_what, content) => {
    expect(await read(content)).toMatchObject([{ identifier: 'A', attributes: { Name: { S: 'Лист' } } }]);
  });

  test('with quotes, separators and line breaks within cells, and with correct line numbers', async () => {
    const content = 'MaterialCode,"Name, ""long"""\r\nA,"10 мм, ""x"""\r\nB,"a\nb\r\nc"\r\n"C",d\r\n';
    expect(await read(content)).toEqual([
      {
        identifier: 'A',
        unit: 'line',
        at: 2,
        attributes: { 'Name, "long"': { S: '10 мм, "x"' } },
        cleared: [],
      },
      {
        identifier: 'B',
        unit: 'line',
        at: 3,
        attributes: { 'Name, "long"': { S: 'a\nb\r\nc' } },
        cleared: [],
      },
      { identifier: 'C', unit: 'line', at: 6, attributes: { 'Name, "long"': { S: 'd' } }, cleared: [] },
    ]);
  });

  test('by its first column of any title, or by the column that is named after the key', async () => {
    for (const content of ['Код,Name\nA,x\n', 'Name,MaterialCode\nx,A\n'])
      expect(await read(content)).toMatchObject([{ identifier: 'A', attributes: { Name: { S: 'x' } } }]);
    const [order] = await read('Order,Name\nOT1234567,x\n', 'PurchaseOrders');
    expect(order).toMatchObject({ identifier: 'OT1234567' });
  });

  test('with texts, numbers and JSON as the titles say, and empty cells as no value', async () => {
    const first = 'A;7,85;7,850;"{""a"":[1.10,true,null,""б""]}";"""x"""';
    const others = ['B;;-1e3;12345678901234567890123456789012345678;', 'C; 007 ;0;"""""";'];
    const titles = 'MaterialCode;Text;Weight: Number ;Any:json;odd:number:json';
    const content = [titles, first, ...others].join('\r\n');
    const Any = { M: { a: { L: [{ N: '1.1' }, { BOOL: true }, { NULL: true }, { S: 'б' }] } } };
    const long = { N: '12345678901234567890123456789012345678' };
    const rows = await read(content);
    expect(rows.map(({ attributes }) => attributes)).toEqual([
      { Text: { S: '7,85' }, Weight: { N: '7.85' }, Any, 'odd:number': { S: 'x' } },
      { Weight: { N: '-1000' }, Any: long },
      { Text: { S: ' 007 ' }, Weight: { N: '0' }, Any: { S: '' } },
    ]);
    expect(rows.map(({ cleared }) => cleared)).toEqual([[], ['Text', 'odd:number'], ['odd:number']]);
  });

  test('with a decimal point between semicolons, if it cannot group thousands', async () => {
    const column = (...cells: string[]) =>
      ['MaterialCode;W:number', ...cells.map((cell, row) => `${row};${cell}`)].join('\n');
    const numbers = [{ W: { N: '7.85' } }, { W: { N: '1.234' } }];
    expect(await attributesOf(column('7.85', '1.234'))).toEqual(numbers);
  });

  test('without the apostrophe that keeps a text from being a formula', async () => {
    const content = `MaterialCode,'=Title,W:number,J:json\n'-5,'=1+1,'12345678901234567,'-7\nB,''+x,'-1,'true\nC,'x,1,"""'=x"""\n`;
    expect((await read(content))[0]?.identifier).toBe('-5');
    expect(await attributesOf(content)).toMatchObject([
      { '=Title': { S: '=1+1' }, W: { N: '12345678901234567' }, J: { N: '-7' } },
      { '=Title': { S: "'+x" }, W: { N: '-1' }, J: { BOOL: true } },
      { '=Title': { S: "'x" }, J: { S: "'=x" } },
    ]);
  });

  test('without the blank columns that a spreadsheet leaves at its end', async () => {
    expect(await read('MaterialCode;Name;;\nA;a;;\nB;b\nC;c; \nD;;;;;\n')).toMatchObject([
      { identifier: 'A', attributes: { Name: { S: 'a' } }, cleared: [] },
      { identifier: 'B', attributes: { Name: { S: 'b' } } },
      { identifier: 'C', attributes: { Name: { S: 'c' } } },
      { identifier: 'D', attributes: {}, cleared: ['Name'] },
    ]);
  });

  test('with a notice about the column that names the rows, unless its title is MaterialCode', async () => {
    const [notice, ...others] = await noticesOf('ABC-2,x\nA,y\n');
    expect(notice).toMatch(
      /^No column .* first column, "ABC-2", is read as the MaterialCode\. If "ABC-2" is/,
    );
    expect(others).toEqual([]);
    expect(await noticesOf('Name,MaterialCode\nx,A\n')).toEqual([]);
    expect(await noticesOf('PurchaseOrder\nOT1234567\n', 'PurchaseOrders')).toEqual([]);
  });
});
