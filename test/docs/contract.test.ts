import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const rows = readFileSync(join(folder, '../docs/contract.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Promise|---)/.test(line));
const filesOf = (row: string) =>
  [...row.matchAll(/`([\w./-]+\.test)`/g)].map(([, file = '']) => `${file}.ts`);

test('every promise names test files that exist', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => filesOf(row).length === 0)).toEqual([]);
  const tests = globSync('**/*.test.ts', { cwd: folder });
  expect(rows.flatMap(filesOf).filter((file) => !tests.includes(file))).toEqual([]);
});

test('every test file of the interface is named by a promise', () => {
  const named = rows.flatMap(filesOf);
  const files = globSync('interface/**/*.test.ts', { cwd: folder });
  expect(files.filter((file) => !named.includes(file))).toEqual([]);
});
