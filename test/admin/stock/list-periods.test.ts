import { afterAll, expect, test } from 'vitest';
import { openStock } from '../../../admin/stock/database/open-stock.ts';
import { createHistoryLoader } from '../../../admin/stock/loading/load-history.ts';
import { loadLists } from '../../../admin/stock/loading/load-lists.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import {
  impatientClient,
  killWrite,
  listDeployment,
  sessionOf,
  tablesOf,
  writeAs,
} from '../lists/history/history-deployment.ts';
import { codeOf, deleteItem, putItems } from '../tables.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let now = Date.UTC(2026, 0, 1);
const write = (deployment: Awaited<ReturnType<typeof listDeployment>>, identifier: string) =>
  writeAs(deployment, [{ kind: 'added', identifier, before: {}, after: codeOf(identifier) }]);

/** A write begins with the whole list if it was last kept longer ago than half of the retention, which is 35 days. */
test.each([
  ['without the whole list no list of the past is known', 15, [3, 2, 2], [1, 1, 0]],
  ['what is left begins with the whole list', 18, [4, 2, 2], [2, 1, 2]],
])('what has expired is forgotten at once, and %s', async (_, days, all, left) => {
  const deployment = await listDeployment(() => new Date(now));
  const [db, newDb] = [openStock(':memory:'), openStock(':memory:')];
  const load = createHistoryLoader(db);
  const counts = async () => {
    await load(sessionOf(deployment));
    return tablesOf(db).map(({ length }) => length);
  };
  await write(deployment, 'A');
  now += days * DAY_MS;
  await write(deployment, 'B');
  now += (35 - days) * DAY_MS - 20 * MINUTE_MS;
  expect(await counts()).toEqual(all);
  // Every hour, a load searches the whole history.
  now += 40 * MINUTE_MS;
  expect(await counts()).toEqual(left);
  await createHistoryLoader(newDb)(sessionOf(deployment));
  expect(tablesOf(db)).toEqual(tablesOf(newDb));
});

test('the history of a replaced table is read anew', async () => {
  const db = openStock(':memory:');
  for (const code of ['A', 'B']) {
    const deployment = await listDeployment(() => new Date(now));
    const newDb = openStock(':memory:');
    await write(deployment, code);
    for (const stock of [db, newDb]) await createHistoryLoader(stock)(sessionOf(deployment));
    expect(tablesOf(db)).toEqual(tablesOf(newDb));
  }
});

test('a change without an end at one read has its end, and what was left, at the next', async () => {
  const deployment = await listDeployment(() => new Date(now), impatientClient(engine.endpoint));
  const [db, newDb] = [openStock(':memory:'), openStock(':memory:')];
  const load = createHistoryLoader(db);
  const endsOf = async () => {
    await load(sessionOf(deployment));
    return db
      .prepare(`SELECT ended IS NOT NULL AS ended FROM list_change`)
      .all()
      .map(({ ended }) => ended);
  };
  await write(deployment, 'A');
  await killWrite(engine, deployment.tables.MaterialCodes, 2, () => write(deployment, 'B'));
  await write(deployment, 'C');
  expect(await endsOf()).toEqual([1, 1, 0, 1]);
  now += 16 * MINUTE_MS;
  await write(deployment, 'D');
  expect(await endsOf()).toEqual([1, 1, 1, 1, 1]);
  await createHistoryLoader(newDb)(sessionOf(deployment));
  expect(tablesOf(db)).toEqual(tablesOf(newDb));
});

test('a change of a row that was added by a killed command and removed past the tools makes no row of the past', async () => {
  const deployment = await listDeployment(() => new Date(now), impatientClient(engine.endpoint));
  const table = deployment.tables.MaterialCodes;
  const db = openStock(':memory:');
  await write(deployment, 'A');
  await killWrite(engine, table, 2, () => write(deployment, 'B'));
  await putItems(table, [codeOf('B')]);
  const after = codeOf('B', { Name: { S: 'b' } });
  await writeAs(deployment, [{ kind: 'changed', identifier: 'B', before: codeOf('B'), after }]);
  await deleteItem(table, { MaterialCode: { S: 'B' } });
  now += 16 * MINUTE_MS;
  await write(deployment, 'C');
  await createHistoryLoader(db)(sessionOf(deployment));
  expect(db.prepare(`SELECT DISTINCT identifier AS code FROM list_period`).all()).toEqual([
    { code: 'A' },
    { code: 'C' },
  ]);
});

test('a row of a killed change that a later change has changed, too, was written', async () => {
  const deployment = await listDeployment(() => new Date(now), impatientClient(engine.endpoint));
  const table = deployment.tables.MaterialCodes;
  const db = openStock(':memory:');
  await write(deployment, 'A');
  const [added, changed] = ['a', 'b'].map((name) => codeOf('B', { Name: { S: name } }));
  const add = { kind: 'added', identifier: 'B', before: {}, after: added ?? {} } as const;
  await killWrite(engine, table, 2, () => writeAs(deployment, [add]));
  await putItems(table, [added ?? {}]);
  await writeAs(deployment, [{ ...add, kind: 'changed', before: added ?? {}, after: changed ?? {} }]);
  await loadLists(db, sessionOf(deployment));
  await createHistoryLoader(db)(sessionOf(deployment), true);
  const periods = db.prepare(`SELECT attributes FROM list_period WHERE identifier = 'B' ORDER BY begun`);
  expect(periods.all()).toEqual([{ attributes: '{"Name":"a"}' }, { attributes: '{"Name":"b"}' }]);
});

test('within an hour, a load reads the rows of new changes only', async () => {
  const deployment = await listDeployment(() => new Date(now), impatientClient(engine.endpoint));
  const load = createHistoryLoader(openStock(':memory:'));
  for (const code of ['A', 'B']) await write(deployment, code);
  await load(sessionOf(deployment));
  await write(deployment, 'C');
  let reads = 0;
  engine.decide((call, _, { body }) => {
    if (call === 'Query' && body.includes('"MaterialCodes:')) reads += 1;
    return 'through';
  });
  await load(sessionOf(deployment));
  expect(reads).toBe(1);
});

test('a load of the history waits for another one of its process', async () => {
  const deployment = await listDeployment(() => new Date(now));
  await write(deployment, 'A');
  const db = openStock(':memory:');
  const known: number[] = [];
  const session = sessionOf(deployment);
  const second = {
    ...session,
    get now() {
      known.push(tablesOf(db)[0]?.length ?? 0);
      return session.now;
    },
  };
  const other = createHistoryLoader(openStock(':memory:'));
  await Promise.all([createHistoryLoader(db)(session), other(second)]);
  expect(known[0]).toBe(2);
});
