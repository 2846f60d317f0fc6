import { zipSync } from 'fflate';
import { type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { planChanges } from '../../admin/lists/plan/plan-changes.ts';
import { withoutMarks } from '../../admin/text/marked.ts';
import { issuesOf, nestedIn, read } from '../admin/lists/rows.ts';
import { codeOf } from '../admin/tables.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

const expectRefusals = async (name: string, files: Record<string, string | Buffer>) => {
  const shown: string[] = [];
  for (const [title, content] of Object.entries(files)) {
    const issues = await issuesOf(content);
    expect(issues, title).not.toEqual([]);
    shown.push(`# ${title}\n${issues.join('\n')}\n`);
  }
  await expectGolden(shown.join('\n'), `files/${name}.txt`);
};

test('what is wrong with a CSV file', () => {
  const first = ['A;1.234,5;{', ' B;x;1', 'C;1', 'D;1;2;3', '"E\nE";1;1', 'F;1e126;"{""a"":1,""a"":2}"'];
  const last = ['', 'H;1;2', 'H;1;2', ';1;2', 'I;7;"{""__proto__"":1}"'];
  return expectRefusals('csv', {
    'wrong rows': ['MaterialCode;Weight:number;Any:json', ...first, ...last].join('\r\n'),
    'what people type under :json':
      'MaterialCode;a:json\nA;Stahl\nB;0,75\nC;1e400\nD;1 2\nE;[1\nF;0.5\nG;TRUE\n',
    'wrong titles': 'MaterialCode, ,Name,Name:number,MaterialCode:json,:json,__proto__, a,a,Name \n',
    'nothing in it': ' \r\n\n',
    'cells without text only': ',,\n,,\n',
    'the other list': 'PurchaseOrder\nOT1234567\n',
    'tabs between cells': 'MaterialCode\tName\nA\tx\n',
    'tabs that Excel declares': 'sep=\t\nMaterialCode\tName\n',
    'titles with a comma and a semicolon': 'MaterialCode,a;b\nA,x;y\n',
    'an open quotation mark': 'Code,Name\nA,x\nB,"y\nC,z\n',
    'a quotation mark within a cell': 'Code,Name\n\nA,5" bar\n',
    'a quotation mark that ends too early': 'Code,Name\nA,"5" bar"\n',
    'a row without end': `Code,Name\nA,"${'x'.repeat(1_100_000)}`,
    'windows-1251': Buffer.from([0x4d, 0x0a, 0xcb, 0xe8, 0xf1, 0xf2]),
    'a sign that is cut off at its end': Buffer.from([0x4d, 0x0a, 0xd0]),
    'an old workbook': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'a PDF': '%PDF-1.7\n',
    'a web page': '<html><table>',
    'titles in a later row': 'List;\n\nMaterialCode;Name\nA;x\n',
    'a code that a spreadsheet changed': 'MaterialCode\n1E+05\n',
    'UTF-16': Buffer.from('\uFEFFMaterialCode\nA', 'utf16le'),
    'UTF-16 without its mark': Buffer.from('MaterialCode\nA', 'utf16le'),
    'blank columns with a text, and rows of other lengths': 'MaterialCode,Name,,\nA,a,,lost\nB\nC,c,,,d\n',
    'a number that may group thousands, beside one that tells':
      'MaterialCode;W:number\n0;7.85\n1;1.234\n2;309,40',
    'numbers that may group thousands': 'MaterialCode;W:number\n0;5\n1;1.234\n2;2.500\n3;x',
  });
});

test('a CSV file is not read further after 100,000 errors', async () => {
  const issues = await issuesOf(`MaterialCode,Note\n${'A,\n'.repeat(110_000)}`);
  expect(issues.join('\n')).toMatch(/100\u202f000 errors\. .*\nand 99\u202f900 errors more\nThe rest .*\.$/s);
});

test('what is wrong with a JSON file', () =>
  expectRefusals('json', {
    'wrong rows': `[
      {"MaterialCode": "A", "Weight": 1e400,
       "Weight": 123456789012345678901234567890123456789},
      {"MaterialCode": "A B"}, {"Name": "x"}, {"MaterialCode": 7},
      "C", [],
      {"MaterialCode": "D", "": 1, "__proto__": 2, "Broken": "\\ud800"},
      {"MaterialCode": "E"},
      {"MaterialCode": "E"},
      {"MaterialCode": "F",}
    ]`,
    'a comment': '[\n// no\n{"MaterialCode":"A"}]',
    'an end that is missing': '[{"MaterialCode":"A"}',
    'what follows its end': '[{"MaterialCode":"A"}] x',
    'a row outside an array': '{"MaterialCode":"A"}',
    'the other list': '{"PurchaseOrders":[{"PurchaseOrder":"OT1234567"}]}',
    'rows of the other list': '[{"PurchaseOrder":"OT1234567"}]',
    'a document of another kind': '{"Clients":[]}',
    'nothing in its object': '{}',
    'a list that is none': '{"MaterialCodes":{"A":7}}',
    '32 levels': nestedIn(32),
    'a hundred thousand levels': '['.repeat(100_000),
    'more than 64 MB': Buffer.from(`[${' '.repeat(64 * 1024 * 1024)}]`),
  }));

/** An archive with these parts, whose directory may claim another size for the last one. */
const zip = (parts: Record<string, string>, size?: number) => {
  const contents = Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]);
  const archive = Buffer.from(zipSync(Object.fromEntries(contents)));
  if (size) archive.writeUInt32LE(size, archive.lastIndexOf('PK\u0001\u0002') + 24);
  return archive;
};
const TYPES = { '[Content_Types].xml': 'x' };
const sheet = (cells: string) => zip({ ...TYPES, 'xl/worksheets/sheet1.xml': cells });

test('what is wrong with a workbook', async () => {
  const [key, date] = ['MaterialCode', new Date('2026-01-02')];
  const workbook = async (first: Omit<WriteSheet, 'name'>) => {
    const sheets = [
      { name: 'Codes', ...first },
      { name: 'Other', rows: [] },
    ];
    return Buffer.from(await writeXlsx({ sheets }));
  };
  const cells = await workbook({
    rows: [
      [key, 'Name', 'Weight:number'],
      ...[
        ['A', date, '309,40'],
        ['B', true, null],
        [1234567890123456800, 'x', -1e15],
      ],
      ...[
        ['C_xD83D_', 'a_xD83D_', null],
        ['D', null, null, date],
      ],
    ],
    cells: new Map([
      ['2,2', { formula: 'SUM(A1:A2)', formulaResult: 3 }],
      ['3,1', { type: 'error' as const, value: '#N/A' }],
    ]),
  });
  const merged = await workbook({
    rows: [
      [key, 'Name', 'Size:number', 'Note', 'Title over two columns'],
      ...[
        ['A', 'both', 0, null, 'x'],
        ['B', null, null, null, 'y'],
      ],
    ],
    merges: [
      ...[1, 2, 3].map((column) => ({ startRow: 1, startCol: column, endRow: 2, endCol: column })),
      { startRow: 0, startCol: 4, endRow: 0, endCol: 5 },
    ],
  });
  return expectRefusals('xlsx', {
    'formulas, dates, errors and numbers that lost digits': cells,
    'values merged over several rows': merged,
    'an OpenDocument spreadsheet': zip({ mimetype: 'x', 'content.xml': 'x' }),
    'a binary workbook': zip({ 'xl/workbook.bin': 'x' }),
    'another archive': zip({ 'a.txt': 'x' }),
    'a workbook that is cut off': cells.subarray(0, 200),
    'a workbook with nothing in it': zip(TYPES),
    'a part that hides its size': zip({ ...TYPES, 'xl/workbook.xml': '' }),
    'a workbook that unpacks to 300 MB': zip(TYPES, 300 * 1024 * 1024),
    'a workbook with millions of texts': zip({
      ...TYPES,
      'xl/sharedStrings.xml': '<si><t/></si>'.repeat(2_100_000),
    }),
    'a cell in the last row': sheet('<c r="B1048576"/>'),
    'a cell in the last row, in other quotes': sheet("<c r = 'B1048576'/>"),
    'a last row with a cell': sheet('<row r="1048576"><c/></row>'),
    // Its row is not too far down.
    'an empty last row': sheet('<row r="1048576"/>'),
  });
});

test('what a review says of the types of a file', async () => {
  const values = { Weight: { N: '7.85' }, 'x:json': { N: '1' }, Name: { S: 'n' } };
  const stored = new Map(['A', 'B', 'C', 'D'].map((code) => [code, codeOf(code, values)]));
  const files = {
    'numbers that become texts':
      'MaterialCode,Weight,x:json:json,Name\nA,7.85,1,n\nB,8,"""1""",n\nC,9,1,new\nnew,9,1,x\n',
    'such numbers in JSON': '[{"MaterialCode":"A","Weight":"7.85"}]',
    'a new column of numbers, and one with other texts': 'MaterialCode;Size;Note\nE;7,5;x\nF;;7\nG;-8;\n',
    'numbers as numbers': 'MaterialCode,Weight:number\nA,8\n',
    'no value': 'MaterialCode,Weight\nA,\n',
    'texts for texts': 'MaterialCode,Name\nA,7\n',
    'a new row among others': 'MaterialCode,Weight\nE,7.85\nF,x\n',
    'zeros in front': 'MaterialCode,Old\nE,007\n',
    'numbers for new rows of JSON': '[{"MaterialCode":"E","Size":"7"}]',
  };
  const shown: string[] = [];
  for (const [title, content] of Object.entries(files)) {
    const rows = new Map((await read(content)).map(({ identifier, ...row }) => [identifier, row]));
    const { notices, warnings } = await planChanges('MaterialCodes', stored, { rows });
    const said = [...notices, ...warnings.map((warning) => `Warning: ${withoutMarks(warning)}`)];
    shown.push(`# ${title}\n${said.map((line) => `${line}\n`).join('')}`);
  }
  await expectGolden(shown.join('\n'), 'files/types.txt');
});

testEachIsCompared('files');
