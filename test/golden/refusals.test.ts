import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { tableNames } from '../../shared/tables.ts';
import { dataFolder, emptyDeployment, NOWHERE, putBatch, putItems } from '../admin/tables.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { createTable, itemsOf } from '../support/tables.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';
import { type Line, showCommands, words } from './show-commands.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const folder = temporaryFolder();

let names: Awaited<ReturnType<typeof emptyDeployment>>['names'];
let data = '';
let copy = '';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const removed = { Client: 'gone', UserName: 'old', Slot: 1, RemovedAt: '2026-01-01T00:00:00.000Z' };
  const south = { Client: 'south.1', UserName: 'Юг', Plan: 'slow', Slot: 1 };
  const locked = { Client: 'locked', LockedAt: '2026-11-19T00:00:00.000Z', Slot: 2 };
  const clients = ['north', south, locked, { ...removed, Version: 3 }];
  ({ names, data } = await emptyDeployment({ clients, plans: 'standard:4,slow:1' }));
  await putBatch(names.BalanceSnapshots, 'north', new Date('2026-11-20T09:00:00.000Z'), [entryOf('A', 1)]);
  await putItems(
    names.MaterialCodes,
    ['A', 'B'].map((S) => ({ MaterialCode: { S } })),
  );
  copy = await createTable('PurchaseOrders');
  await putItems(copy, [{ PurchaseOrder: { S: 'OT1234567' } }]);
});
// Times in the zone of this machine are the same on each machine.
beforeEach(() => void vi.stubEnv('TZ', 'UTC'));
afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const stored = () => Promise.all(tableNames.map((name) => itemsOf(names[name])));
const fileOf = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const usage = (): Line[] => [
  ['nonsense'],
  ...['snapshots show', 'balances --nonsense', 'clients lock -x', 'changes list --since tomorrow'].map(words),
  ...['changes list --client warehouse:2', 'changes list --json --csv'].map(words),
  ...['balances --json --out b.csv', 'balances --out b.ods', 'balances --decimal x'].map(words),
  ...['balances --separator x', 'report --out stock.csv', 'console --port 80', 'console --json'].map(words),
  ...['--stack', '--region', '--profile'].map((option) => words(`changes list ${option} other`)),
  ...['snapshots export latest --since 1h', 'snapshots show yesterday --at 24h'].map(words),
  words('balances --since 1h --at 24h'),
  ...[
    ...['balances', 'changes list', 'snapshots list', 'snapshots show latest', 'snapshots export latest'],
    ...['snapshots diff previous latest', 'history A', 'check', 'report --out x.xlsx', 'sql select'],
  ].map((line) => words(`${line} --at 9999-01-01`)),
  ...['snapshots list --since 9999-01-01', 'balances --client nord'].map(words),
  ...['check --strict --client nord', 'snapshots show nothing', 'snapshots diff previous latest'].map(words),
  ...['snapshots diff previous latest --client north', 'snapshots diff 24h latest'].map(words),
];

const clients = (): Line[] =>
  [
    ...['add north', 'add east Юг', 'add east --user-name Юг', 'add east --user-name a:b'],
    ...['add east west --user-name a', 'add east west --password-stdin', 'add east --plan fast'],
    ...['add east --silence-hours 8761', 'add east west wide', 'set north', 'set north --user-name Юг'],
    ...['set north --plan standard --silence-hours 24 --user-name north', 'remove north', 'lock nobody'],
    ...['rotate gone', 'rotate north --again', 'rotate north --again --overlap-hours 0', 'unlock north'],
    ...['lock locked', 'set north --plan slow', 'show nobody'],
  ].map((line) => words(`clients ${line}`));

const restore = (): Line[] =>
  [
    ...['PurchaseOrders --from nowhere', 'PurchaseOrders --from .', 'PurchaseOrders'],
    ...[`PurchaseOrders --from ${names.PurchaseOrders}`, `MaterialCodes --from ${copy}`],
    ...[`BalanceSnapshots --from ${copy} --overwrite`, `Clients --from ${copy} --overwrite`],
    `Secrets --from ${copy}`,
  ].map((line) => words(`restore ${line}`));

const lists = (): Line[] => {
  const imports = (name: string, content: string, ...options: string[]) => [
    ...['codes', 'import', fileOf(name, content)],
    ...options,
  ];
  return [
    imports('errors.csv', 'MaterialCode,Weight:number\nGood,1\nA B,1\nGood,2\nC,"7,85"\n'),
    imports('signs.csv', 'MaterialCode,a;Name,b;W:number\nA,x;Лист,y;7,5\n'),
    imports('spaces.csv', 'MaterialCode,Name,Name \nA,x,y\n'),
    imports('replace.csv', 'MaterialCode\nA\n', '--replace'),
    ['codes', 'import', join(folder, 'absent.csv')],
    ...['codes remove A A', 'codes remove A a C --yes'].map(words),
  ];
};

const sql = (): Line[] => [
  ['sql'],
  ['sql', 'select 1', '--file', 'x'],
  ['sql', '--file', join(folder, 'absent.sql')],
  ...['selec 1', 'select name from client', 'select hex(zeroblob(9000000))'].map((query) => ['sql', query]),
  ['sql', 'select value from balance where warehouse = :name'],
  ['sql', 'select 1', '--param', 'name=x'],
  ['sql', 'select :name', '--param', 'name'],
  ['sql', '--query', 'absent'],
];

describe('what is refused, with nothing written', () => {
  test.each(Object.entries({ usage, clients, restore, lists, sql }))('%s', async (name, lines) => {
    const before = await stored();
    const places = { [folder]: 'FOLDER', [copy]: 'COPY', [names.PurchaseOrders]: 'LIVE' };
    const shown = await showCommands(data, lines(), places);
    await expectGolden(shown, `refusals/${name}.txt`);
    expect(await stored()).toEqual(before);
  });
});

test('what a command says without a local run', async () => {
  const damaged = temporaryFolder();
  writeFileSync(join(damaged, 'outputs.json'), '{"DynamoDbEndpoint": ');
  const older = temporaryFolder();
  const addresses = { DynamoDbEndpoint: NOWHERE, ControlEndpoint: NOWHERE, Region: 'eu-central-1' };
  writeFileSync(join(older, 'outputs.json'), JSON.stringify({ ...addresses, Stack: { Outputs: {} } }));
  const shown = [
    await showCommands('nowhere', [words('changes list')]),
    await showCommands(dataFolder({}, { engine: NOWHERE }), ['changes list', 'clients list'].map(words)),
    await showCommands(damaged, [words('changes list')]),
    await showCommands(older, [words('changes list')]),
  ];
  await expectGolden(shown.join('\n'), 'refusals/no-local-run.txt');
});

testEachIsCompared('refusals');
