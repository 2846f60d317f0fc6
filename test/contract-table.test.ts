import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = import.meta.dirname;
const table = readFileSync(join(folder, '../docs/contract.md'), 'utf8');

const ROW = /^\| .+ \| `([\w/-]+)`: "(.+)" \|$/gm;
const rows = [...table.matchAll(ROW)].map(([, file = '', title = '']) => ({ file, title }));

const sourceOf = (file: string) => readFileSync(join(folder, `${file}.test.ts`), 'utf8');

/** Behind `test(` or behind the cases of `test.each(…)`, with the function that it is the title of. */
const TITLE = /\(\s*(['"`])((?:(?!\1).)+)\1,\s*(?:[A-Z_]+,\s*)?(async )?\(/g;
const titlesIn = (source: string) =>
  [...source.matchAll(TITLE)].map(([, , title = '', isAsync]) => ({
    title: title.replaceAll('\\\\', '\\'),
    // What waits for no answer is no test of the interface, but a heading over several.
    isTest: isAsync !== undefined,
  }));

describe('the table of promises', () => {
  test('has a row for every table row that is written', () => {
    const written = table
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Promise|---)/.test(line));
    expect(rows).toHaveLength(written.length);
    expect(rows.length).toBeGreaterThan(80);
  });

  test.each(rows)('names a test that is there: $file, "$title"', ({ file, title }) => {
    expect(titlesIn(sourceOf(file)).map((each) => each.title)).toContain(title);
  });

  test.each(readdirSync(join(folder, 'interface')).filter((name) => name.endsWith('.test.ts')))(
    'leaves out no test of interface/%s',
    (name) => {
      const file = `interface/${name.replace('.test.ts', '')}`;
      const named = rows.filter((row) => row.file === file).map(({ title }) => title);
      const tests = titlesIn(sourceOf(file)).filter(({ isTest }) => isTest);
      expect(tests.length).toBeGreaterThan(4);
      expect(tests.map(({ title }) => title).filter((title) => !named.includes(title))).toEqual([]);
    },
  );
});
