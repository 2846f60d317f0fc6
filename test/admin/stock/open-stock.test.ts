import { chmodSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { keepFindings } from '../../../admin/stock/checks/show-findings.ts';
import { changeStock, openStock } from '../../../admin/stock/database/open-stock.ts';
import { stockFileOf } from '../../../admin/stock/database/stock-file.ts';
import { tableNames } from '../../../shared/tables.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf } from '../../support/batches.ts';
import { adminHereOn } from '../in-process.ts';
import { emptyDeployment, putBatch } from '../tables.ts';

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'stocks');
});

const deployed = (key: string, suffix = '') => ({
  key,
  tables: Object.fromEntries(tableNames.map((name) => [name, name + suffix])) as never,
});
test('a deployment has a file of its own, for its owner only', () => {
  const files = [deployed('a'), deployed('b'), deployed('a', '2')].map((one) => stockFileOf(one, folder));
  expect(new Set([...files, stockFileOf(deployed('a'), folder)]).size).toBe(3);
  const [file = ''] = files;
  openStock(file).close();
  expect([statSync(folder), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
});

test('a file that nobody has used for a month is removed, and the others stay', () => {
  const [old, used] = [deployed('old'), deployed('used')].map((one) => stockFileOf(one, folder));
  for (const file of [old, used]) openStock(file ?? '').close();
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
  openStock(file).close();
  expect(readdirSync(shared).sort()).toEqual([...theirs, basename(file)].sort());
  expect([statSync(shared), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o755, 0o600]);
});

/** The stock of a deployment, as its commands keep it in a new folder. */
const keptStock = async () => {
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { names, data } = await emptyDeployment({ clients: ['north', 'south'] });
  const send = (client: string, code: string, hoursAgo = 1) =>
    putBatch(names.BalanceSnapshots, client, new Date(Date.now() - hoursAgo * HOUR_MS), [entryOf(code, 1)]);
  await send('north', 'A');
  await send('south', 'B');
  const read = async () => JSON.parse((await adminHereOn(data, ['balances', '--json'])).stdout);
  await read();
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.sqlite'));
  return { read, send, file: join(folder, name) };
};
const inFile = (file: string, sql: string) => {
  const db = new DatabaseSync(file);
  db.exec(sql);
  const rows = db.prepare('SELECT id FROM batch UNION SELECT identifier FROM list_row').all();
  db.close();
  return rows.length;
};

test('what a command could write only in part is not in its file', async () => {
  const { read, send, file } = await keptStock();
  const before = inFile(
    file,
    `CREATE TRIGGER full BEFORE UPDATE ON meta BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  await send('north', 'C', 0);
  await expect(read()).rejects.toThrow();
  expect(inFile(file, 'DROP TRIGGER full')).toBe(before);
  expect(await read()).toHaveLength(3);
});

test('a file of something else is created again', async () => {
  const { read, file } = await keptStock();
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE client (a)');
  db.close();
  expect(await read()).toHaveLength(2);
});

test('findings are kept again if another process wrote after they were found', async () => {
  const { file } = await keptStock();
  const [stock, other] = [openStock(file), openStock(file)];
  const remove = (client: string, by: DatabaseSync) =>
    changeStock(by, () => by.exec(`UPDATE client SET is_warehouse = 0 WHERE name = '${client}'`));
  remove('south', stock);
  const exec = stock.exec.bind(stock);
  const spy = vi.spyOn(stock, 'exec').mockImplementation((sql) => {
    if (sql === 'BEGIN IMMEDIATE') {
      spy.mockRestore();
      remove('north', other);
    }
    exec(sql);
  });
  keepFindings(stock);
  expect([keepFindings(stock), keepFindings(stock)]).toEqual([true, false]);
});
