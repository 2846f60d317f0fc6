import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { entryOf } from '../support/batches.ts';
import { startAdmin } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const { names, data } = await emptyDeployment({ clients: ['north'] });
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
beforeAll(async () => {
  await putBatch(names.BalanceSnapshots, 'north', ago(30), [entryOf('A', 1), entryOf('B', 2)]);
  await putBatch(names.BalanceSnapshots, 'north', ago(1), [entryOf('A', 0.5), entryOf('B', 2)]);
});

const sql = (...args: string[]) => adminHereOn(data, ['sql', ...args]);

test('an exact result is a number without zeros at its end, or a text if a number cannot hold it', async () => {
  const sums = ['(0.25), (0.75)', '(0.1), (0.2)', '(1e20), (0.5)'].map(
    (values, index) => `(select exact_sum(column1) from (values ${values})) as sum${index}`,
  );
  const { stdout } = await sql(`select ${sums}, exact_difference(2.50, 1.5) as one`, '--json');
  expect(stdout).toBe('[\n{"sum0":1,"sum1":0.3,"sum2":"100000000000000000000.5","one":1}\n]\n');
});

test('a file has the query, and --at is the moment of its stock', async () => {
  const file = join(data, 'query.sql');
  writeFileSync(file, `-- At another moment.\nselect value from balance where material = 'A';\n`);
  const { code, stdout } = await sql('--file', file, '--at', '24h', '--json');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '[\n{"value":1}\n]\n' });
});

test('a query that needs too much memory ends with a sentence', async () => {
  const large = 'select zeroblob(1000000) as b from n';
  const query = `with recursive n (i) as (select 1 union all select i + 1 from n limit 1300), kept as materialized (${large}) select count(b) from kept`;
  const words =
    'The query ended early. It needed more than 1 GB of memory, or its process was killed. Ask for less at a time.\n';
  expect(await sql(query)).toEqual({ code: 1, stdout: '', stderr: words });
});

test('Ctrl-C after printed rows does not say that nothing was written', async () => {
  const query = 'with recursive n (i) as (select 1 union all select i + 1 from n) select i from n';
  const child = startAdmin(data, ['sql', query, '--csv']);
  const said = text(child.stderr);
  const exit = once(child, 'close');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  child.stdout.resume();
  expect(await exit).toEqual([130, null]);
  expect(await said).toBe('Ended early.\n');
});
