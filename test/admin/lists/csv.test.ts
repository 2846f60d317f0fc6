import { describe, expect, test } from 'vitest';
import { issuesOf, noticesOf, read } from './rows.ts';

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
      { identifier: 'A', line: 2, attributes: { 'Name, "long"': { S: '10 мм, "x"' } }, cleared: [] },
      { identifier: 'B', line: 3, attributes: { 'Name, "long"': { S: 'a\nb\r\nc' } }, cleared: [] },
      { identifier: 'C', line: 6, attributes: { 'Name, "long"': { S: 'd' } }, cleared: [] },
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

  test('with a decimal point between semicolons, unless it may group thousands', async () => {
    const READINGS = 'may be 1234 or 1.234; add --decimal , for the first, or --decimal . for the second';
    const column = (...cells: string[]) =>
      ['MaterialCode;W:number', ...cells.map((cell, row) => `${row};${cell}`)].join('\n');
    const numbers = [{ W: { N: '7.85' } }, { W: { N: '1.234' } }];
    expect(await attributesOf(column('7.85', '1.234'))).toEqual(numbers);
    expect(await issuesOf(column('7.85', '1.234', '309,40'))).toContain(
      `line 3: column "W:number": "1.234" ${READINGS}; the column also has "309,40"`,
    );
    expect(await issuesOf(column('5', '1.234', '2.500', 'x'))).toEqual([
      'The file is refused because of 2 errors. Nothing was written.',
      `line 3: column "W:number": "1.234" ${READINGS}`,
      expect.stringMatching(/^line 5: /),
    ]);
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
    expect(await issuesOf('MaterialCode,Name,,\nA,a,,lost\nB\nC,c,,,d\n')).toEqual([
      'The file is refused because of 3 errors. Nothing was written.',
      'line 2: column 4: the cell contains "lost", but the column has no title',
      'line 3: the row has 1 cell and the titles 2',
      'line 4: the row has 5 cells and the titles 2; a cell that contains "," must be in quotation marks',
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

describe('a CSV file is refused', () => {
  test('for all that is wrong with it, line by line', async () => {
    const first = ['A;1.234,5;{', ' B;x;1', 'C;1', 'D;1;2;3', '"E\nE";1;1', 'F;1e126;"{""a"":1,""a"":2}"'];
    const last = ['', 'H;1;2', 'H;1;2', ';1;2', 'I;7;"{""__proto__"":1}"'];
    const content = ['MaterialCode;Weight:number;Any:json', ...first, ...last].join('\r\n');
    expect(await issuesOf(content)).toEqual([
      'The file is refused because of 12 errors. Nothing was written.',
      'line 2: column "Weight:number": "1.234,5" is a number with grouped thousands; write it without groups, as in 1234,5, or add --decimal ,',
      'line 2: column "Any:json": this is not JSON: it ends where a name in double quotes or } is expected',
      'line 3: column "Weight:number": "x" is not a number; write digits only, such as 7,85',
      expect.stringMatching(/^line 3: " B" is not a valid MaterialCode: .*Remove the spaces around it/),
      'line 4: the row has 2 cells and the titles 3',
      'line 5: the row has 4 cells and the titles 3; a cell that contains ";" must be in quotation marks',
      expect.stringMatching(/^line 6: "E\\u000aE" is not a valid MaterialCode: MaterialCode must have 1 to/),
      expect.stringMatching(/^line 8: column "Weight:number": "1e126" is a number out of range/),
      'line 8: column "Any:json": the name "a" is twice in one object',
      'line 11: the MaterialCode "H" is already in line 10',
      'line 12: the MaterialCode is missing',
      expect.stringMatching(/^line 13: column "Any:json": an attribute cannot have the name __proto__/),
    ]);
  });

  test('for wrong titles', async () => {
    expect(
      await issuesOf('MaterialCode, ,Name,Name:number,MaterialCode:json,:json,__proto__, a,a,Name \n'),
    ).toEqual([
      'The file is refused because of 7 errors. Nothing was written.',
      'line 1: column 2: it has no title',
      'line 1: column 4: an earlier column is already for "Name"',
      'line 1: column 5: an earlier column is already for "MaterialCode"',
      'line 1: column 6: the name of an attribute is empty',
      'line 1: column 7: an attribute cannot have the name __proto__; choose another name',
      'line 1: column 9: an earlier column is already for "a"',
      'line 1: column 10: an earlier column is already for "Name"',
    ]);
  });

  test.each([
    ['nothing in it', ' \r\n\n', /The file is empty/],
    ['cells without text only', ',,\n,,\n', /there is no row of titles/],
    ['the other list', 'PurchaseOrder\nOT1234567\n', /this is a file of the other list/],
    ['tabs between cells', 'MaterialCode\tName\nA\tx\n', /separated by tabs; save the file as "CSV UTF-8"/],
    ['tabs that Excel declares', 'sep=\t\nMaterialCode\tName\n', /neither a comma nor a semicolon/],
    ['an open quotation mark', 'Code,Name\nA,x\nB,"y\nC,z\n', /^line 3: .*never closed\. The rest of the/m],
    ['a quotation mark within a cell', 'Code,Name\n\nA,5" bar\n', /^line 3: .* contains a quotation mark/m],
    ['a quotation mark that ends too early', 'Code,Name\nA,"5" bar"\n', /^line 2: .* a quotation mark/m],
    ['a row without end', `Code,Name\nA,"${'x'.repeat(1_100_000)}`, /^line 2: .*longer than 1,000,000/m],
    ['windows-1251', Buffer.from([0x4d, 0x0a, 0xcb, 0xe8, 0xf1, 0xf2]), /not in UTF-8.*CSV UTF-8/],
    ['a sign that is cut off at its end', Buffer.from([0x4d, 0x0a, 0xd0]), /not in UTF-8/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /is an old workbook \(\.xls\).*CSV UTF-8/],
    ['a PDF', '%PDF-1.7\n', /is a PDF\. Save it/],
    ['a web page', '<html><table>', /is a web page or XML/],
    ['titles in a later row', 'List;\n\nMaterialCode;Name\nA;x\n', /^line 3: this row has the titles again/m],
    ['a code that a spreadsheet changed', 'MaterialCode\n1E+05\n', /type it again\.$/m],
    ['UTF-16', Buffer.from('\uFEFFMaterialCode\nA', 'utf16le'), /in UTF-16.*CSV UTF-8/],
    ['UTF-16 without its mark', Buffer.from('MaterialCode\nA', 'utf16le'), /in UTF-16/],
  ])('for %s', async (_what, content, words) => {
    expect((await issuesOf(content)).join('\n')).toMatch(words);
  });

  test('before its end, after too many errors', async () => {
    const issues = await issuesOf(`MaterialCode,Note\n${'A,\n'.repeat(110_000)}`);
    expect(issues.join('\n')).toMatch(/100,000 errors\. .*\nand 99,900 errors more\nThe rest .*\.$/s);
  });
});
