import { chmodSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import {
  emptyStock,
  IdsChanged,
  inStockTransaction,
  openStock,
} from '../../../admin/stock/database/open-stock.ts';
import { stockFileOf } from '../../../admin/stock/database/stock-file.ts';
import { tableNames } from '../../../shared/tables.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entry, makeStock } from './make-stock.ts';

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'stocks');
});

const deployed = (key: string, suffix = '') => ({
  key,
  tables: Object.fromEntries(tableNames.map((name) => [name, name + suffix])) as never,
});
const rowsIn = (file: string) => {
  const db = new DatabaseSync(file);
  const rows = db.prepare('SELECT name FROM material ORDER BY id').all();
  db.close();
  return rows.map(({ name }) => name);
};

test('a deployment has a file of its own, for its owner only', () => {
  const files = [deployed('a'), deployed('b'), deployed('a', '2')].map((one) => stockFileOf(one, folder));
  expect(new Set([...files, stockFileOf(deployed('a'), folder)]).size).toBe(3);
  const [file = ''] = files;
  openStock(file).db.close();
  expect([statSync(folder), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
});

test('a file that nobody has used for a month is removed, and the others stay', () => {
  const [old, used] = [deployed('old'), deployed('used')].map((one) => stockFileOf(one, folder));
  for (const file of [old, used]) openStock(file ?? '').db.close();
  const before = new Date(Date.now() - 31 * DAY_MS);
  for (const file of [old, used]) utimesSync(file ?? '', before, before);
  // SQLite writes here first.
  writeFileSync(`${used}-wal`, '');
  stockFileOf(deployed('used'), folder);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([used, `${used}-wal`]);
});

test('in a folder with files of other programs, its mode and their files stay, however old they are', () => {
  const shared = temporaryFolder();
  chmodSync(shared, 0o755);
  const old = stockFileOf(deployed('old'), shared);
  const theirs = ['places.sqlite', '0123456789abcdef.sqlite.bak', '0123456789ABCDEF.sqlite'];
  const before = new Date(Date.now() - 31 * DAY_MS);
  for (const file of [old, ...theirs.map((name) => join(shared, name))]) {
    writeFileSync(file, '');
    utimesSync(file, before, before);
  }
  const file = stockFileOf(deployed('new'), shared);
  openStock(file).db.close();
  expect(readdirSync(shared).sort()).toEqual([...theirs, basename(file)].sort());
  expect([statSync(shared), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o755, 0o600]);
});

test.each([
  ['damaged', (file: string) => writeFileSync(file, 'SQLite format 3\0 and then nothing of it'.repeat(100))],
  [
    'of something else',
    (file: string) => {
      const db = new DatabaseSync(file);
      db.exec('CREATE TABLE client (a)');
      db.close();
    },
  ],
])('a file that is %s is created again', (_, make) => {
  const file = join(temporaryFolder(), 'stock.sqlite');
  make(file);
  openStock(file).db.close();
  expect(rowsIn(file)).toEqual([]);
});

test('an emptied file has nothing, and another process that has it open begins again', () => {
  const file = join(temporaryFolder(), 'stock.sqlite');
  const other = makeStock({ north: [{ at: 1_000, entries: [entry('A', 1)] }] }, file);
  const stock = openStock(file);
  emptyStock(stock);
  expect(rowsIn(file)).toEqual([]);
  inStockTransaction(stock, () => stock.dictionaries.materials.addAll(['B', 'C']));
  expect(() => inStockTransaction(other, () => other.dictionaries.materials.addAll(['D']))).toThrow(
    IdsChanged,
  );
  expect(rowsIn(file)).toEqual(['B', 'C']);
});
