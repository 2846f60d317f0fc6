import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseWorkbook } from '../../admin/lists/files/parse-workbook.ts';
import { adminHereOn } from '../admin/in-process.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { type Locale, startLibreOffice } from './libre-office.ts';

const folder = temporaryFolder();
let run: LocalRun;

beforeAll(async () => {
  run = await startLocal({ demo: true });
});
afterAll(() => run.stop());

const command = async (...line: string[]) => {
  const { code, stdout, stderr } = await adminHereOn(run.data, line);
  expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  return { stdout, stderr };
};

/** What any spreadsheet keeps of CSV. */
const LIST = [
  { MaterialCode: '-5', Name: '=1+1', Phone: '+49 30', Weight: 81.597, Any: 81.597 },
  { MaterialCode: 'Сталь-10/А', Name: ' "Лист"; 10,5\nмм', Phone: "'=1", Weight: 1234.5, Any: true },
  { MaterialCode: 'Kabel,8', Name: '@x', Weight: -309.4, Any: 'text' },
  { MaterialCode: 'Kabel-9', Name: '\ttab', Weight: 123456.123456789, Any: [1, 'a'] },
  { MaterialCode: 'Kabel-10', Name: "''", Weight: 1e-7, Any: null },
  { MaterialCode: 'Kabel-11', Name: 'of a form:\r\ntwo lines', Weight: 1000 },
  { MaterialCode: 'Kabel-12', Name: 'kg;=1+1', Phone: '10,-5', Any: 'a;=1' },
];
/** What needs a workbook, because CSV has no types. Some numbers have more digits than a double. */
const CODES = `[
  {"MaterialCode": "00123", "Name": "7.850", "Weight": 12345678901234567890.5},
  {"MaterialCode": "1E5", "Name": "2026-01-02", "Weight": 0.30000000000000004},
  {"MaterialCode": "1-2", "Name": "TRUE", "Weight": 0.1},
  {"MaterialCode": "12345678901234567890", "Name": "_x0041_", "Weight": 1e-130}
]`;

const importAll = async (json: string) => {
  const file = join(folder, 'list.json');
  writeFileSync(file, json);
  await command('codes', 'import', file, '--replace', '--yes', '--accept-warnings');
};

const expectNoChange = async (file: string) => {
  const { stdout, stderr } = await command('codes', 'import', file, '--replace', '--dry-run', '--json');
  expect({ changes: JSON.parse(stdout), stderr }).toEqual({
    changes: [],
    stderr: expect.stringContaining('0 rows would be added, 0 changed, 0 removed'),
  });
};

const READ = [['balances'], ['history', 'Болт-1/006'], ['snapshots', 'diff', 'previous', 'latest']];

const isBalance = ([title]: readonly unknown[]) => /^StockBalance(Before|After)?$/.test(String(title));

/** The balances in each row. */
const balancesIn = async (file: string) => {
  const { rows } = await parseWorkbook(readFileSync(file));
  const [titles = [], ...others] = rows;
  return others.map((row) =>
    Object.fromEntries(titles.map((title, index) => [title, row[index]]).filter(isBalance)),
  );
};

const locales: Locale[] = [
  { name: 'de-DE', language: 1031, separator: ';' },
  { name: 'en-US', language: 1033, separator: ',' },
];

describe.each(locales)('LibreOffice in $name', (locale) => {
  const { save, type } = startLibreOffice(folder, locale);
  const write = async (name: string, ...line: string[]) => {
    const out = join(folder, `${locale.name}-${name}`);
    await command(...line, '--separator', locale.separator, '--out', out);
    return out;
  };
  const writeRead = (kind: 'csv' | 'xlsx') =>
    Array.fromAsync(READ, (line) => write(`${line[0]}.${kind}`, ...line));

  const saved: Record<'lists' | 'codes' | 'csv' | 'xlsx', string[]> = {
    lists: [],
    codes: [],
    csv: [],
    xlsx: [],
  };

  // Starting LibreOffice takes seconds, so each start opens all files of one kind.
  beforeAll(async () => {
    await importAll(JSON.stringify(LIST));
    const lists = [await write('list.csv', 'codes', 'export'), await write('list.xlsx', 'codes', 'export')];
    await importAll(CODES);
    const workbooks = [...lists.splice(1), await write('codes.xlsx', 'codes', 'export')];
    const [list = '', codes = '', ...read] = await save(
      [...workbooks, ...(await writeRead('xlsx'))],
      'xlsx',
      'xlsx',
    );
    saved.lists = [...(await save(lists, 'csv', 'csv')), list];
    saved.codes = [codes];
    saved.csv = await save(await writeRead('csv'), 'csv', 'xlsx');
    saved.xlsx = read;
  });

  test('keeps every value of a list that it saves', async () => {
    await importAll(JSON.stringify(LIST));
    for (const file of saved.lists) await expectNoChange(file);
  });

  test('keeps codes that look like numbers in a workbook that it saves', async () => {
    await importAll(CODES);
    for (const file of saved.codes) await expectNoChange(file);
  });

  test('keeps the codes and numbers that a person types into a list', async () => {
    await importAll(JSON.stringify(LIST));
    const file = await write('typed.xlsx', 'codes', 'export');
    const sign = locale.separator === ';' ? ',' : '.';
    const row = { A9: '1-2', C9: '00123', E9: `1234${sign}5` };
    const column = { F1: 'Breite:number', F2: `7${sign}85`, G1: 'Norm', G2: '07 mm' };
    await type(file, { ...row, ...column });
    const { stdout } = await command('codes', 'import', file, '--dry-run', '--json');
    expect(JSON.parse(stdout)).toEqual([
      { Kind: 'added', MaterialCode: '1-2', Attribute: 'Name', After: '00123' },
      { Kind: 'added', MaterialCode: '1-2', Attribute: 'Weight', After: 1234.5 },
      { Kind: 'changed', MaterialCode: '-5', Attribute: 'Breite', After: 7.85 },
      { Kind: 'changed', MaterialCode: '-5', Attribute: 'Norm', After: '07 mm' },
    ]);
  });

  test.each(['csv', 'xlsx'] as const)(
    'opens each balance in .%s as a number of the same value',
    async (kind) => {
      for (const [index, line] of READ.entries()) {
        const records: Record<string, unknown>[] = JSON.parse((await command(...line, '--json')).stdout);
        const expected = records.map((record) =>
          Object.fromEntries(Object.entries(record).filter(isBalance)),
        );
        expect(expected.length).toBeGreaterThan(10);
        expect(await balancesIn(saved[kind][index] ?? '')).toEqual(expected);
      }
    },
  );
});
