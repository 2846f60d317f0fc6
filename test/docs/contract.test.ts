import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { titlesIn } from '../support/titles.ts';

const folder = join(import.meta.dirname, '..');
const table = readFileSync(join(folder, '../docs/contract.md'), 'utf8');

const ROW = /^\| .+ \| `([\w./-]+)`: "(.+)" \|$/gm;
const rows = [...table.matchAll(ROW)].map(([, file = '', title = '']) => ({ file, title }));
const pathOf = (file: string) => join(folder, `${file}.ts`);

describe('the table of promises', () => {
  test('has no row that cannot be read', () => {
    const written = table.split('\n').filter((line) => /^\| (?!Promise|---)/.test(line));
    expect(written.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(written.length);
  });

  test.each(rows)('names one test: $file, "$title"', ({ file, title }) => {
    expect(titlesIn(pathOf(file)).filter((each) => each === title)).toEqual([title]);
  });

  test.each(globSync('interface/**/*.test.ts', { cwd: folder }))('leaves out no test of %s', (name) => {
    const file = name.replace(/\.ts$/, '');
    const named = rows.filter((row) => row.file === file).map(({ title }) => title);
    const titles = titlesIn(pathOf(file));
    expect(titles.length).toBeGreaterThan(0);
    expect(titles.filter((title) => !named.includes(title))).toEqual([]);
  });
});
