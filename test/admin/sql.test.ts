import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readNamedQueries } from '../../admin/stock/sql/named-queries.ts';
import { selectRows } from '../../admin/stock/sql/select-rows.ts';
import { DAY_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { descendantsOf } from '../support/processes.ts';
import { projectFolder } from '../support/run-app.ts';
import { startAdmin } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * DAY_MS);
const { names, tables, data } = await emptyDeployment({ clients: ['north', 'south'] });
const sql = (...args: string[]) => adminHereOn(data, ['sql', ...args]);

const folder = temporaryFolder();
let file: string;
beforeAll(async () => {
  const send = (client: string, days: number, ...entries: ReturnType<typeof entryOf>[]) =>
    putBatch(names.BalanceSnapshots, client, daysAgo(days), entries);
  await send('north', 9, entryOf('A', 10), entryOf('B', 4), entryOf('Old', 1));
  await send('north', 0.9, entryOf('A', 0.1, 'kg', ['OT1000001']), entryOf('B', 4));
  await send('south', 8, entryOf('A', 0.2), entryOf('B', 7, 'pcs'));
  for (const [code, name] of [
    ['A', 'Pipe'],
    ['Z', 'Kabel'],
  ])
    await tables.put('MaterialCodes', { MaterialCode: code, Name: name });
  for (const order of ['OT1000001', 'OT1000009'])
    await tables.put('PurchaseOrders', { PurchaseOrder: order });
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
  await sql('SELECT 1');
  file = join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? '');
});
afterAll(() => void vi.unstubAllEnvs());

/** In this process, which costs less than the process of the command. */
const select = (query: string, parameters = {}) => [...selectRows({ file, sql: query, parameters }).rows];

test('the folder has ten queries', () => {
  expect(readNamedQueries()).toHaveLength(10);
});

test.each(readNamedQueries())('the query $name has a title and finds rows', ({ sql, title }) => {
  expect(title).toMatch(/^[A-Z]/);
  expect(select(sql, { days: '7', day: '2026-01-01' })).not.toEqual([]);
});

test('a parameter has its value, which is a number if it is written like one', () => {
  const query = `SELECT :a, typeof(:b), ':c', count(*) FROM balance WHERE unit = :unit -- :d\n/* :e`;
  expect(select(query, { a: '0.5', b: '007', unit: 'kg' })[0]?.slice(0, 3)).toEqual([0.5, 'text', ':c']);
});

test.each<[value: string, type: string, joined: string]>([
  ['7', 'integer', 'x7'],
  ['-12', 'integer', 'x-12'],
  ['1.50', 'real', 'x1.5'],
  ...['-0', '007', '1,5', '1e5', 'NaN', 'Infinity', '12345678901234567890', ''].map(
    (text): [string, string, string] => [text, 'text', `x${text}`],
  ),
])('the parameter %j is of the type %s', (größe, ...row) => {
  expect(select(`SELECT typeof(:größe), 'x' || :größe`, { größe })).toEqual([row]);
});

const page = readFileSync(join(projectFolder, 'docs/sql.md'), 'utf8');
test.each(
  Object.entries({
    balance: 'material warehouse value unit orders since received_at snapshot_id',
    history: 'material warehouse value unit orders since until value_before unit_before snapshot_id',
    batch: 'warehouse snapshot_id received_at entries parts request_id expires_at state damage',
    change: 'warehouse received_at timestamp request_id',
    material_code: 'material attributes',
    purchase_order: 'purchase_order attributes',
    finding: 'severity kind warehouse subject detail advice count since snapshot_id scope state',
  }),
)('%s has the columns that docs/sql.md describes: %s', (view, columns) => {
  const names = columns.split(' ');
  expect(selectRows({ file, sql: `SELECT * FROM ${view}` }).columns).toEqual(names);
  const rows = page.slice(page.indexOf(`| \`${view}\` |`));
  const own = rows.slice(0, rows.indexOf('\n| `'));
  for (const name of names) expect(own).toContain(`\`${name}\``);
});

test('history has the balance before and its first batch, a balance its newest batch, a batch its request, and a finding its batch', () => {
  const [first, second] = [daysAgo(9).toISOString(), daysAgo(0.9).toISOString()];
  const history = `SELECT value, since, until, value_before, unit_before FROM history`;
  expect(select(`${history} WHERE material = 'A' AND warehouse = 'north' ORDER BY since`)).toEqual([
    [10, first, second, null, null],
    [0.1, second, null, 10, 'kg'],
  ]);
  // Both batches have this balance.
  const same = `material = 'B' AND warehouse = 'north'`;
  expect(select(`SELECT value, snapshot_id FROM history WHERE ${same}`)).toEqual([[4, `${first}-test`]]);
  expect(select(`SELECT since, snapshot_id FROM balance WHERE ${same}`)).toEqual([[first, `${second}-test`]]);
  const batch = 'SELECT warehouse, request_id, parts, expires_at, damage FROM batch';
  expect(select(`${batch} WHERE warehouse = 'south'`)).toEqual([['south', 'test', 1, null, null]]);
  const finding = 'SELECT severity, kind, warehouse, subject, count, since, snapshot_id FROM finding';
  expect(select(`${finding} WHERE kind = 'unlisted-code' AND warehouse = 'north'`)).toEqual([
    ['warning', 'unlisted-code', 'north', 'B', 1, first, `${second}-test`],
  ]);
});

test.each<[query: string, ...row: unknown[]]>([
  // A sum that a number cannot hold is a text.
  ['exact_sum(column1), sum(column1) FROM (VALUES (0.1), (0.2), (NULL))', 0.3, 0.30000000000000004],
  ['exact_sum(column1) FROM (VALUES (0.25), (0.75))', 1],
  ['exact_sum(column1) FROM (VALUES (1e20), (0.5))', '100000000000000000000.5'],
  ['exact_sum(column1) FROM (VALUES (0.0000002), (-0.0000001))', 0.0000001],
  [`exact_sum(column1) FROM (VALUES ('-100000000000000000000.5'), ('0.5'))`, -1e20],
  ['exact_sum(9007199254740993)', '9007199254740993'],
  ['exact_difference(10, 0.1), exact_difference(0.3, 0.1), exact_difference(2, 12)', 9.9, 0.2, -10],
  [`exact_difference(1e20, 0.5), exact_difference('0.3', '-1')`, '99999999999999999999.5', 1.3],
  ['exact_difference(9007199254740993, 2), exact_difference(2.50, 1.5)', 9007199254740991, 1],
  // Nothing adds up to null, as in sum(), and differs from nothing by null.
  ['exact_sum(1), sum(1) WHERE FALSE', null, null],
  ['exact_sum(NULL), exact_difference(NULL, 5), exact_difference(5, NULL)', null, null, null],
  [`9007199254740993, 9e999, x'0aff', NULL, 1.5, 7`, '9007199254740993', 'Infinity', '0aff', null, 1.5, 7],
  // What looks like a parameter in a text or a comment is none.
  [`'?', ':name' -- ?\n/* $code */`, '?', ':name'],
  [`value FROM json_each('[7]') WHERE EXISTS (SELECT 1 FROM temp.history)`, 7],
  ['1; -- done; really\n/* ; */ ;\n', 1],
])('SELECT %j has its values', (query, ...row) => {
  expect(select(` -- first\nSELECT ${query}`)).toEqual([row]);
});

test('queries in a query may have any name, and equal columns are numbered', () => {
  const named = 'WITH client AS (SELECT 1 AS a), balance AS MATERIALIZED (SELECT 2 AS a)';
  expect(select(`${named} SELECT client.a, (SELECT count(*) FROM balance) FROM client`)).toEqual([[1, 1]]);
  expect(selectRows({ file, sql: 'SELECT 1 AS a, 2 AS a, 3 AS b' }).columns).toEqual(['a', 'a 2', 'b']);
});

const VIEWS = 'balance, history, batch, change, material_code, purchase_order, list_change and finding';
const READ_ONLY = `A query can only read the views ${VIEWS}. Begin it with SELECT or WITH.`;
const PARAMETER =
  'The query has a parameter such as ?, @name or $name. Only parameters such as :name can have a value.';
test.each(
  Object.entries({
    [READ_ONLY]: [
      ...[
        'DELETE FROM balance',
        'CREATE TEMP TABLE t (a)',
        'DROP VIEW temp.balance',
        'PRAGMA query_only = 0',
      ],
      ...[`ATTACH 'other.sqlite' AS other`, `VACUUM INTO 'copy.sqlite'`, 'BEGIN'],
    ],
    [`A query can only read the views ${VIEWS}.`]: [`SELECT * FROM pragma_table_info('client')`],
    'A query can': [`SELECT load_extension('x')`],
    [`A query can read the views only. The views are ${VIEWS}.`]: [
      ...['SELECT sql FROM sqlite_schema', 'SELECT count(*) FROM temp.sqlite_schema', 'SELECT * FROM dbstat'],
    ],
    [`There is no view balances. The views are ${VIEWS}.`]: ['SELECT 1 FROM balances'],
    'There is no view main.balance.': ['SELECT * FROM main.balance'],
    'There is no view meta.': ['SELECT count(*) FROM meta'],
    'There is no view unit.': ['SELECT 1 WHERE 1 IN (SELECT id FROM "unit")'],
    'There is no view main.client.': ['WITH balance AS (SELECT * FROM main.client) SELECT * FROM balance'],
    [PARAMETER]: [
      ...['SELECT ?', 'SELECT 1 FROM balance WHERE material = $code', 'SELECT :code, ?'],
      ...['SELECT :code, @unit', 'SELECT :code::unit', 'SELECT :code$unit', 'SELECT :code, :1'],
    ],
    'The query needs a value for :code and :unit.': ['SELECT :code, :unit, :code'],
    'Give one statement.': ['SELECT 1; DELETE FROM balance'],
    'The query is empty. Begin it with SELECT or WITH.': ['', '-- nothing'],
    'The query cannot be run: no such column: absent.': ['SELECT absent FROM balance'],
    'The query cannot be run: near "SELEC": syntax error.': ['SELEC 1'],
    'The query cannot be run: exact_sum needs numbers, not "kg".': ['SELECT exact_sum(unit) FROM balance'],
    'exact_sum needs numbers, not "12,5".': [`SELECT exact_sum('12,5')`],
    'exact_sum needs numbers, not "Infinity".': ['SELECT exact_sum(1e400)'],
    'wrong number of arguments to function exact_sum().': ['SELECT exact_sum(value, 2) FROM balance'],
    'exact_difference needs numbers, not "kg".': [
      `SELECT exact_difference('kg', 1)`,
      `SELECT exact_difference(1, 'kg')`,
    ],
  }).flatMap(([message, queries]) => queries.map((query) => [query, message])),
)('%s is refused with %s', (query = '', message = '') => {
  expect(() => select(query)).toThrow(message);
});

describe('in its process', () => {
  const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
  /** One row, and then a search without end. */
  const ENDLESS = `SELECT i FROM (${NUMBERS}) WHERE i = 1`;
  const queriesOf = (pid = process.pid) =>
    descendantsOf(pid).filter(({ command }) => command.includes('worker.ts'));

  test('a query of a file, as of a moment, prints all rows and each line separator of a text', async () => {
    const query = join(folder, 'query.sql');
    writeFileSync(query, `-- At another moment.\nselect value from balance where material = 'A';\n`);
    const { stdout } = await sql('--file', query, '--at', '212h', '--json');
    expect(JSON.parse(stdout)).toEqual([{ value: 10 }]);
    const rows = JSON.parse((await sql(`${NUMBERS} LIMIT 250`, '--json')).stdout);
    expect(rows).toEqual(Array.from({ length: 250 }, (_, index) => ({ i: index + 1 })));
    const texts = ['\u2028', '\u2029', '\n', '\r', '\u0085', 'é'.repeat(70_000)];
    const { stdout: values } = await sql(`SELECT value FROM json_each('${JSON.stringify(texts)}')`, '--json');
    expect(JSON.parse(values).map(({ value }: { value: string }) => value)).toEqual(texts);
  });

  const EARLY =
    'The query ended early. It needed more than 1 GB of memory, or its process was killed. Ask for less at a time.\n';

  test('a query that needs too much memory ends with a sentence', async () => {
    const large = 'select zeroblob(1000000) as b from n';
    const query = `with recursive n (i) as (select 1 union all select i + 1 from n limit 1300), kept as materialized (${large}) select count(b) from kept`;
    expect(await sql(query)).toEqual({ code: 1, stdout: '', stderr: EARLY });
  });

  test('a query whose process is killed after a row ends with a sentence, not as if it were complete', async () => {
    const onScreen = (text: string) => {
      if (text.includes('1')) for (const { pid } of queriesOf()) process.kill(pid, 'SIGKILL');
    };
    const ended = adminHereOn(data, ['sql', ENDLESS, '--csv', '--no-bom'], { onScreen });
    expect(await ended).toEqual({ code: 1, stdout: 'i\r\n1\r\n', stderr: EARLY });
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'a query without end ends after %s to its command',
    async (signal) => {
      const child = startAdmin(data, ['sql', signal === 'SIGINT' ? NUMBERS : ENDLESS, '--csv']);
      const said = text(child.stderr);
      const exit = once(child, 'close');
      await once(child.stdout, 'data');
      const [query] = queriesOf(child.pid);
      child.kill(signal);
      child.stdout.resume();
      // The query has the same place for errors, so it has ended, too.
      expect(await exit).toEqual(signal === 'SIGINT' ? [130, null] : [null, signal]);
      expect(query).toBeDefined();
      // Rows are printed, so nothing says that nothing was written.
      expect(await said).toBe(signal === 'SIGINT' ? 'Ended early.\n' : '');
    },
  );
});
