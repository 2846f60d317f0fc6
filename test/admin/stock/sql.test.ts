import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { showFindings } from '../../../admin/stock/checks/findings/show-findings.ts';
import { readExamples } from '../../../admin/stock/sql/manual.ts';
import { runQuery } from '../../../admin/stock/sql/run-query.ts';
import { selectRows } from '../../../admin/stock/sql/select-rows.ts';
import { tableQueries } from '../../../admin/stock/tables/tables.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { descendantsOf } from '../../support/processes.ts';
import { projectFolder } from '../../support/run-app.ts';
import { entry, makeStock } from './make-stock.ts';

const folder = mkdtempSync(join(tmpdir(), 'sql-'));
afterAll(() => rmSync(folder, { recursive: true }));

const now = Date.now();
const daysAgo = (days: number) => now - days * DAY_MS;
const file = join(folder, 'stock.sqlite');
const { db } = makeStock(
  {
    north: [
      { at: daysAgo(9), entries: [entry('A', 10), entry('B', 4), entry('Old', 1)] },
      { at: daysAgo(1) + 1_000, entries: [entry('A', 0.1, 'kg', ['OT1000001']), entry('B', 4)] },
    ],
    south: [{ at: daysAgo(8), entries: [entry('A', 0.2), entry('B', 7, 'pcs')] }],
    removed: [{ at: daysAgo(8), entries: [entry('A', 99)] }],
  },
  file,
);
db.exec(`
  UPDATE client SET is_warehouse = 0 WHERE name = 'removed';
  INSERT INTO list_row VALUES
    ('MaterialCodes', 'A', x'0041', 'A', '{"Name":"Pipe"}'), ('MaterialCodes', 'Z', x'005a', 'Z', '{"Name":"Kabel"}'),
    ('PurchaseOrders', 'OT1000001', x'00', '', '{}'), ('PurchaseOrders', 'OT1000009', x'01', '', '{"Supplier":"Ann"}');
  INSERT INTO change SELECT id, '2026-01-01T00:00:02,000Z', 2_000, 'first' FROM client WHERE name = 'north';
  INSERT INTO finding (kind, severity, client, subject, since, instant, detail, advice)
    SELECT 'unit-differs', 'error', id, 'B', ${daysAgo(8)}, ${daysAgo(8)}, 'Odd.', 'Ask.' FROM client WHERE name = 'south'`);

const select = (sql: string, at?: number) => [...selectRows({ file, sql, at }).rows];
const iso = (at: number) => new Date(at).toISOString();

const page = readFileSync(join(projectFolder, 'docs/sql.md'), 'utf8');
test('the page has ten examples', () => {
  expect(readExamples()).toHaveLength(10);
});

test.each(readExamples())('the example "$title" finds rows', ({ sql }) => {
  expect(select(sql)).not.toEqual([]);
});

test.each([
  ['balance', ['material', 'warehouse', 'value', 'unit', 'orders', 'since', 'received_at', 'snapshot_id']],
  [
    'history',
    [
      'material',
      'warehouse',
      'value',
      'unit',
      'orders',
      'since',
      'until',
      'value_before',
      'unit_before',
      'snapshot_id',
    ],
  ],
  [
    'batch',
    [
      'warehouse',
      'snapshot_id',
      'received_at',
      'entries',
      'parts',
      'request_id',
      'expires_at',
      'state',
      'damage',
    ],
  ],
  ['change', ['warehouse', 'received_at', 'timestamp', 'request_id']],
  ['material_code', ['material', 'attributes']],
  ['purchase_order', ['purchase_order', 'attributes']],
  [
    'finding',
    ['severity', 'kind', 'warehouse', 'subject', 'detail', 'advice', 'count', 'since', 'snapshot_id'],
  ],
])('%s has the columns that docs/sql.md describes', (view, columns) => {
  expect(selectRows({ file, sql: `SELECT * FROM ${view}` }).columns).toEqual(columns);
  const rows = page.slice(page.indexOf(`| \`${view}\` |`));
  const own = rows.slice(0, rows.indexOf('\n| `'));
  for (const column of columns) expect(own).toContain(`\`${column}\``);
});

test('a finding has the same words as in its table', () => {
  const titles = tableQueries.findings(db, {}).columns.map(({ title }) => title.toLowerCase());
  const { columns } = selectRows({ file, sql: 'SELECT * FROM finding' });
  const words = titles.map((title) => (title === 'batch' ? 'snapshot_id' : title));
  expect(words.toSorted()).toEqual(columns.toSorted());
});

test('a balance has the batch that first had it and the newest that has it', () => {
  expect(select(`SELECT * FROM balance WHERE warehouse = 'north' ORDER BY material`)).toEqual([
    [
      'A',
      'north',
      0.1,
      'kg',
      'OT1000001',
      ...[1, 1].map((days) => iso(daysAgo(days) + 1_000)),
      `north-${daysAgo(1) + 1_000}`,
    ],
    ['B', 'north', 4, 'kg', '', iso(daysAgo(9)), iso(daysAgo(1) + 1_000), `north-${daysAgo(1) + 1_000}`],
    ['Old', 'north', 1, 'kg', '', iso(daysAgo(9)), iso(daysAgo(9)), `north-${daysAgo(9)}`],
  ]);
});

test('a moment has what was known then, and the findings of then', () => {
  const values = 'SELECT warehouse, value FROM balance WHERE material = ';
  expect(select(`${values} 'A' ORDER BY warehouse`, daysAgo(8) - 1)).toEqual([['north', 10]]);
  expect(select(`${values} 'A' ORDER BY warehouse`, daysAgo(2))).toEqual([
    ['north', 10],
    ['south', 0.2],
  ]);
  expect(select(`${values} 'A' ORDER BY warehouse`)).toEqual([
    ['north', 0.1],
    ['south', 0.2],
  ]);
  const sql = 'SELECT count(*) FROM finding';
  showFindings(db, daysAgo(8) - 1);
  const then = db.prepare('SELECT count(*) AS count FROM finding').get()?.['count'];
  for (const written of [sql, sql.toUpperCase()]) expect(select(written, daysAgo(8) - 1)).toEqual([[then]]);
  expect(select(sql)).toEqual([[1]]);
});

test('a moment has the batches and changes until then, and a history that ends then', () => {
  const ended = `SELECT value, until FROM history WHERE material = 'A' AND warehouse = 'north'`;
  expect(select(ended, daysAgo(2))).toEqual([[10, null]]);
  expect(select('SELECT DISTINCT warehouse FROM history', daysAgo(8) - 1)).toEqual([['north']]);
  expect(select('SELECT warehouse FROM batch', daysAgo(8) - 1)).toEqual([['north']]);
  expect([1_999, 2_000].map((at) => select('SELECT timestamp FROM change', at).length)).toEqual([0, 1]);
});

test('history says from when until when a balance was the same', () => {
  expect(
    select(
      `SELECT value, since, until, value_before, unit_before FROM history WHERE material = 'A' AND warehouse = 'north' ORDER BY since`,
    ),
  ).toEqual([
    [10, iso(daysAgo(9)), iso(daysAgo(1) + 1_000), null, null],
    [0.1, iso(daysAgo(1) + 1_000), null, 10, 'kg'],
  ]);
});

test('values keep their digits, and sums are exact', () => {
  expect(select('SELECT exact_sum(column1), sum(column1) FROM (VALUES (0.1), (0.2), (NULL))')).toEqual([
    [0.3, 0.30000000000000004],
  ]);
  expect(select(`SELECT exact_sum(column1) FROM (VALUES (1e20), (0.5))`)).toEqual([
    ['100000000000000000000.5'],
  ]);
  const small = 'SELECT exact_sum(column1) FROM (VALUES (0.0000002), (-0.0000001))';
  expect(select(small)).toEqual([[0.0000001]]);
  expect(select("SELECT 9007199254740993, 9e999, x'0aff', NULL, 1.5, 7")).toEqual([
    ['9007199254740993', 'Infinity', '0aff', null, 1.5, 7],
  ]);
  expect(selectRows({ file, sql: 'SELECT 1 AS a, 2 AS a, 3 AS b' }).columns).toEqual(['a', 'a 2', 'b']);
});

test('a difference is exact, and a number where one can hold it', () => {
  const differences = 'SELECT exact_difference(column1, column2) AS difference FROM (VALUES';
  expect(select(`${differences} (10, 0.1), (0.3, 0.1), (2, 12)) ORDER BY difference`)).toEqual([
    [-10],
    [0.2],
    [9.9],
  ]);
  expect(select(`${differences} (1e20, 0.5))`)).toEqual([['99999999999999999999.5']]);
});

test('a text of digits and an integer are exact, too', () => {
  expect(
    select(
      `SELECT exact_sum(column1), exact_difference('0.3', '-1') FROM (VALUES ('-100000000000000000000.5'), ('0.5'))`,
    ),
  ).toEqual([[-1e20, 1.3]]);
  expect(select('SELECT exact_sum(9007199254740993), exact_difference(9007199254740993, 2)')).toEqual([
    ['9007199254740993', 9007199254740991],
  ]);
});

test('nothing adds up to null, as in sum(), and differs from nothing by null', () => {
  expect(select('SELECT exact_sum(1), sum(1) WHERE FALSE')).toEqual([[null, null]]);
  expect(select('SELECT exact_sum(NULL), exact_difference(NULL, 5), exact_difference(5, NULL)')).toEqual([
    [null, null, null],
  ]);
});

test.each([
  [
    'DELETE FROM balance',
    'A query can only read the views balance, history, batch, change, material_code, purchase_order and finding. Begin it with SELECT or WITH.',
  ],
  ['CREATE TEMP TABLE t (a)', 'A query can only read'],
  ['DROP VIEW temp.balance', 'A query can only read'],
  [`ATTACH 'other.sqlite' AS other`, 'A query can only read'],
  ['PRAGMA query_only = 0', 'A query can only read'],
  ["SELECT * FROM pragma_table_info('client')", 'A query can only read the views balance, history,'],
  ["VACUUM INTO 'copy.sqlite'", 'A query can only read'],
  ['BEGIN', 'A query can only read'],
  [`SELECT load_extension('x')`, 'A query can'],
  ['SELECT 1; DELETE FROM balance', 'Give one statement.'],
  ['SELECT absent FROM balance', 'The query cannot be run: no such column: absent.'],
  [
    'SELECT 1 FROM balances',
    'There is no view balances. The views are balance, history, batch, change, material_code, purchase_order and finding.',
  ],
  ['SELECT * FROM main.balance', 'There is no view main.balance.'],
  ['SELECT count(*) FROM meta', 'There is no view meta.'],
  ['SELECT 1 WHERE 1 IN (SELECT id FROM "unit")', 'There is no view unit.'],
  ['WITH balance AS (SELECT * FROM main.client) SELECT * FROM balance', 'There is no view main.client.'],
  ['SELECT sql FROM sqlite_schema', 'A query can read the views only. The views are balance,'],
  ['SELECT count(*) FROM temp.sqlite_schema', 'A query can read the views only.'],
  ['SELECT * FROM dbstat', 'A query can read the views only.'],
  ['SELECT ?', 'The query has a parameter, such as ?, :name, @name or $name, which has no value.'],
  ['SELECT 1 FROM balance WHERE material = $code', 'The query has a parameter'],
  ['SELECT exact_sum(unit) FROM balance', 'The query cannot be run: exact_sum needs numbers, not "kg".'],
  [`SELECT exact_sum('12,5')`, 'exact_sum needs numbers, not "12,5".'],
  ['SELECT exact_sum(1e400)', 'exact_sum needs numbers, not "Infinity".'],
  ['SELECT exact_sum(value, 2) FROM balance', 'wrong number of arguments to function exact_sum().'],
  [`SELECT exact_difference('kg', 1)`, 'exact_difference needs numbers, not "kg".'],
  [`SELECT exact_difference(1, 'kg')`, 'exact_difference needs numbers, not "kg".'],
  ['SELEC 1', 'The query cannot be run: near "SELEC": syntax error.'],
  ['', 'The query is empty.'],
  ['-- nothing', 'The query is empty.'],
])('%s is refused with %s', (sql, message) => {
  expect(() => select(sql)).toThrow(message);
});

test('what looks like a parameter in a text or a comment is none, and queries in a query may have any name', () => {
  expect(select(`SELECT '?', ':name' -- ?\n/* $code */`)).toEqual([['?', ':name']]);
  const named = 'WITH client AS (SELECT 1 AS a), balance AS MATERIALIZED (SELECT 2 AS a)';
  expect(select(`${named} SELECT client.a, (SELECT count(*) FROM balance) FROM client`)).toEqual([[1, 1]]);
  expect(select(`SELECT value FROM json_each('[7]') WHERE EXISTS (SELECT 1 FROM temp.history)`)).toEqual([
    [7],
  ]);
});

test('a comment and a semicolon may follow a statement', () => {
  expect(select(' -- first\nSELECT 1; -- done; really\n/* ; */ ;\n')).toEqual([[1]]);
});

describe('in a process', () => {
  const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

  test('rows come as they are found, all of them', async () => {
    const { columns, rows } = await runQuery({ file, sql: `${NUMBERS} LIMIT 250` });
    expect(columns).toEqual(['i']);
    const numbers = Array.from({ length: 250 }, (_, index) => [index + 1]);
    expect(await Array.fromAsync(rows)).toEqual(numbers);
  });

  const queries = () => descendantsOf(process.pid).filter(({ command }) => command.includes('query-process'));

  test('whose end comes early, its rows are no result, but a sentence', async () => {
    const { rows } = await runQuery({ file, sql: `SELECT i FROM (${NUMBERS}) WHERE i = 1` });
    for (const { pid } of queries()) process.kill(pid, 'SIGKILL');
    await expect(Array.fromAsync(rows)).rejects.toThrow('The query ended early.');
  });

  test('an endless query ends when nobody wants more', async () => {
    const { rows } = await runQuery({ file, sql: `SELECT i FROM (${NUMBERS}) WHERE i = 1` });
    for await (const row of rows) {
      expect(row).toEqual([1]);
      expect(queries()).toHaveLength(1);
      break;
    }
    await vi.waitFor(() => expect(queries()).toEqual([]), 60_000);
  });

  test('that nobody reads any more ends without a word', async () => {
    const module = new URL('../../../admin/stock/sql/query-process.ts', import.meta.url);
    const child = fork(module, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.send({ file, sql: NUMBERS });
    const said = child.stderr?.setEncoding('utf8').toArray();
    child.stdout?.once('data', () => child.stdout?.destroy());
    await once(child, 'close');
    expect(await said).toEqual([]);
  });

  // Windows tells no process that its parent has ended.
  test.skipIf(process.platform === 'win32')('an endless query ends when its parent is killed', async () => {
    const module = new URL('../../../admin/stock/sql/run-query.ts', import.meta.url);
    const query = { file, sql: `SELECT count(*) FROM (${NUMBERS})` };
    const work = `import { runQuery } from '${module}'; await runQuery(${JSON.stringify(query)}); console.log('begun');`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', work]);
    await once(parent.stdout, 'data');
    // The query has the same place for errors.
    const ended = once(parent.stderr.resume(), 'close');
    parent.kill('SIGKILL');
    await ended;
  });

  test('a text keeps its line separators', async () => {
    const texts = ['\u2028', '\u2029', '\n', '\r', '\u0085', 'é'.repeat(70_000)];
    const { rows } = await runQuery({ file, sql: `SELECT value FROM json_each('${JSON.stringify(texts)}')` });
    expect((await Array.fromAsync(rows)).flat()).toEqual(texts);
  });

  test('a refusal is a sentence', async () => {
    await expect(runQuery({ file, sql: 'SELECT' })).rejects.toThrow(
      'The query cannot be run: incomplete input.',
    );
  });

  test('a file that cannot be read is a sentence, without a trace', async () => {
    const sql = 'SELECT 1';
    await expect(runQuery({ file: join(folder, 'absent.sqlite'), sql })).rejects.toThrow('unable to open');
  });
});
