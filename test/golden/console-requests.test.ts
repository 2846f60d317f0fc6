import { afterAll, expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { startTestConsole } from '../admin/console/test-console.ts';
import { clientItems, emptyDeployment, type Item, openControl, putBatch, putItems } from '../admin/tables.ts';
import { entryOf } from '../support/batches.ts';
import { itemsOf } from '../support/tables.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

const GONE = { Client: 'gone', RemovedAt: '2026-01-01T00:00:00.000Z' };
const control = await openControl();
const { names, data } = await emptyDeployment({
  ...{ clients: ['north', { Client: 'south', Plan: 'slow' }, GONE], control: control.endpoint },
});
const [damaged = {}] = clientItems(['broken']);
await putItems(names.Clients, [
  { ...damaged, Slot: { N: '4' }, SilenceFrom: { S: 'yesterday' }, Version: { S: 'one' } },
]);
const row = (code: string, weight: string) => ({ MaterialCode: { S: code }, Weight: { N: weight } });
await putItems(names.MaterialCodes, [row('A', '7.85'), { ...row('B', '1'), Name: { S: 'b' } }]);
const order = (number: number, more: Item) => ({ PurchaseOrder: { S: `OT000000${number}` }, ...more });
await putItems(names.PurchaseOrders, [
  order(1, { Sizes: { M: { all: { L: [{ NS: ['1', '2'] }] } } } }),
  ...[order(2, { Mixed: { N: '1' } }), order(3, { Mixed: { L: [{ N: '1' }] } })],
]);
await putBatch(names.BalanceSnapshots, 'north', new Date(Date.now() - HOUR_MS), [entryOf('A', 1.5)]);
const console = await startTestConsole(data);
await console.read();
afterAll(async () => {
  await console.stop();
  control.close();
});

/** With text or bytes, the request is as it is. */
type Request = readonly [path: string, sent?: string | Buffer | object];

const respond = (path: string, sent: Request[1]) => {
  const address = `/api/${path.replaceAll(' ', '%20')}`;
  if (sent === undefined) return console.get(address);
  if (Buffer.isBuffer(sent)) return console.postAs('octet-stream', address, sent);
  return console.postAs('json', address, typeof sent === 'string' ? sent : JSON.stringify(sent));
};

const hashes: unknown[] = [];
/** What is stored of a client. A hash has the number of its password. */
const showStored = async (name: string) => {
  const item = (await itemsOf(names.Clients)).find(({ Client }) => Client?.S === name) ?? {};
  const shown = Object.entries(item).flatMap(([attribute, value]) => {
    const [text] = Object.values(value);
    if (/Client|Salt/.test(attribute)) return [];
    if (!attribute.endsWith('Hash')) return `${attribute} ${text}`;
    if (!hashes.includes(text)) hashes.push(text);
    return `${attribute} ${hashes.indexOf(text)}`;
  });
  return `  stored: ${shown.toSorted().join(', ')}`;
};

/** Sends requests one after the other, and shows what the page gets. Times, passwords and ids differ in each run. */
const showRequests = async (requests: readonly Request[]) => {
  const texts: string[] = [];
  let review = '';
  for (const [path, sent] of requests) {
    const { status, body } = await respond(path.replace('REVIEW', review), sent);
    review = body.id ?? review;
    const shownSent = typeof sent === 'string' || Buffer.isBuffer(sent) ? sent : JSON.stringify(sent);
    const asked = path.replaceAll(/(a ){9,}/g, 'a … ');
    const told = Object.entries(body).map(
      ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const [, client] = /^clients\/(.+)$/.exec(path) ?? [];
    if (client !== undefined && status === 200) told.push(await showStored(client));
    texts.push(`> ${asked} ${shownSent ?? ''}`.trim(), `${status}`, ...told, '');
  }
  return texts
    .join('\n')
    .replaceAll(/\b\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d:\d\d)/g, 'TIME')
    .replaceAll(/TIME-[0-9a-f]{8}\b/g, 'CHANGE')
    .replaceAll(/"[A-Za-z0-9]{32}"/g, 'PASSWORD')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/the local run in [\w/-]+/g, 'DEPLOYMENT');
};

const FUTURE = 'at=9999-01-01T00:00:00Z';

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line): Request => [line]);
const wordsOf = (count: number) => 'a '.repeat(count);
const refusedAddresses = `
tables/balances?at=yesterday
tables/balances?at=
tables/balances?at=2026-02-30T00:00:00Z
tables/balances?${FUTURE}
tables/balances?since=x
tables/balances?sort=Nothing
tables/balances?sort=
tables/balances?limit=0
tables/balances?limit=501
tables/balances?limit=1e2
tables/balances?page=
tables/balances?page=0
tables/balances?page=-1
tables/balances?page=1.5
tables/balances?page=x
tables/balances?search=${wordsOf(51)}
tables/balances?search=${wordsOf(3_000)}
tables/query?sql=
tables/query?sql=DELETE FROM main.balance&sort=1
tables/query?sql=SELECT 1) FROM (SELECT 2
tables/query?sql=SELECT 1&sort=2
tables/query?sql=SELECT 1&sort=1, 1
tables/query?sql=SELECT 1&page=0
tables/query?sql=SELECT 1&${FUTURE}
tables/compared?before=x
tables/compared?before=9999-01-01T00:00:00Z
tables/compared?before=2026-11-20T10:00:00Z&at=2026-11-20T09:00:00Z
downloads/comparison?before=2026-11-20T10:00:00Z&at=2026-11-20T09:00:00Z
message
message?client=list:MaterialCodes
tables/nothing
tables/constructor
tables/__proto__
state?${FUTURE}
state?at=x
arrivals
arrivals?starts=x
materials/A?${FUTURE}
downloads/tables/balances?format=exe
downloads/tables/balances?columns=x&format=csv
downloads/lists/nothing?format=csv
downloads/tables/nothing?format=csv
downloads/tables/query?sql=SELECT 1&${FUTURE}&format=csv
downloads/report?at=yesterday
`;

const REVIEW = 'lists/codes/review';
const changed = (identifier: string, text: string, name = 'Name', kind = 'text') => {
  return { kind: 'changed', identifier, cells: [{ name, kind, text }] };
};
const added = (identifier: string, text: string, name = 'Name') => {
  return { ...changed(identifier, text, name), kind: 'added' };
};
const renamed = (identifier: string, to?: string) => ({ kind: 'renamed', identifier, to, cells: [] });
const review = (sent: string | Buffer | object, query = ''): Request => [`${REVIEW}${query}`, sent];
const reviewFile = (content: string, query = '') => review(Buffer.from(content), query);
const WRITE: Request = ['reviews/REVIEW', {}];

const wrongEdits = [
  added('A', 'x'),
  changed('Z', 'x'),
  added('A B', 'x'),
  changed('B', 'a\ud83d'),
  changed('B', '7,85', 'Weight', 'number'),
  changed('B', '1', '__proto__'),
  changed('B', '1', 'MaterialCode'),
];
const wrongNames = [
  renamed('A', 'B'),
  renamed('B', 'B x'),
  renamed('Z', 'Y'),
  renamed('A', 'C'),
  renamed('B'),
  added('D', 'x'),
  { ...changed('D', ''), kind: 'removed' },
];
const wrongChangesOfLists = [
  review(wrongEdits),
  review(wrongNames),
  review([renamed('A', 'C'), renamed('B', 'C')]),
  review('no JSON'),
  review([{ kind: 'other' }]),
  ['lists/none/review', []],
  review([], '?decimal=x'),
  ['reviews/none', {}],
  reviewFile('MaterialCode;Weight:number\nA;1.234\nB;309,40\n'),
  reviewFile('MaterialCode,Name\nA B,x\n'),
  reviewFile(''),
] satisfies Request[];

const addClient = (client: object): Request => ['clients', client];
const change = (client: string, action: string, more: object = {}): Request => {
  return [`clients/${client}`, { action, ...more }];
};
const rotate = (client: string, more: object = {}) =>
  change(client, 'rotate', { overlapHours: 24, isAgain: false, ...more });
const confirmed = { confirmed: true };

const wrongChangesOfClients = [
  addClient({ name: '.' }),
  addClient({ name: '..' }),
  addClient({ name: '-' }),
  addClient({ name: 'a b' }),
  addClient({ name: '' }),
  addClient({ name: 'x'.repeat(65) }),
  addClient({ name: 'south' }),
  addClient({ name: 'new', more: 1 }),
  rotate('nobody'),
  change('gone', 'lock'),
  change('north', 'set', { share: true }),
  change('north', 'set', { userName: 'south' }),
  change('north', 'set', { userName: 'a:b' }),
  rotate('north', { overlapHours: 8_761 }),
  rotate('north', { isAgain: true }),
  change('north', 'remove', { confirmed: 'yes' }),
  change('north', 'lock', { password: 'mine' }),
  change('north', 'other'),
];

test.each<[string, readonly Request[]]>([
  ['addresses', linesOf(refusedAddresses)],
  ['changes', [...wrongChangesOfLists, ...wrongChangesOfClients]],
])('the %s that the console refuses, and with which words', async (name, requests) => {
  const stored = () => Promise.all([names.MaterialCodes, names.Clients].map((table) => itemsOf(table)));
  const before = await stored();
  await expectGolden(await showRequests(requests), `console-requests/refused-${name}.txt`);
  expect(await stored()).toEqual(before);
});

const twoEdits = review(
  [changed('A', '7,9', 'Weight', 'number'), added('D', '1,50', 'Weight')],
  '?decimal=,',
);
const changesOfLists = [
  review([
    added('C', '<b>'),
    changed('A', '8.0', 'Weight', 'number'),
    ...['B', 'gone'].map((row) => ({ kind: 'removed', identifier: row, cells: [] })),
  ]),
  twoEdits,
  WRITE,
  WRITE,
  twoEdits,
  review([{ ...changed('D', '1.51', 'Weight'), kind: 'renamed', to: 'E' }, renamed('A', 'F')]),
  // This letter is Cyrillic.
  ...['A', 'B'].map((code) => review([renamed(code, '\u0412')])),
  reviewFile('Code,Weight\nA,7.85\nC,1\n'),
  WRITE,
  reviewFile('MaterialCode;Weight:number\nA;1.234\nB;309,40\n', '?replace=true&decimal=,'),
];
const reviewOrders = (...edits: object[]): Request => ['lists/orders/review', edits];
/** A cell shows a set as an array, and a column may have values of several types. */
const changesOfValues = [
  ...['[[1,3]]', '[[2,1]]'].map((all) => reviewOrders(changed('OT0000001', `{"all":${all}}`, 'Sizes'))),
  reviewOrders(
    changed('OT0000001', '{"all":[{"DynamoDB":{"NS":["1","3"]}}]}', 'Sizes'),
    ...[changed('OT0000002', '2', 'Mixed'), changed('OT0000003', '[2]', 'Mixed')],
    ...[added('OT0000004', '3', 'Mixed'), added('OT0000005', 'new', 'constructor')],
  ),
  ...[WRITE, reviewOrders(changed('OT0000002', '', 'Mixed')), WRITE],
  ['tables/orders'],
] satisfies Request[];
const READ: Request = ['clients'];
const changesOfClients = [
  READ,
  addClient({ name: 'west', userName: 'Запад', plan: 'slow', silenceHours: 0 }),
  addClient({ name: 'gone' }),
  rotate('north', { overlapHours: 0 }),
  rotate('north'),
  rotate('north', confirmed),
  rotate('north'),
  rotate('north', { isAgain: true }),
  rotate('north', { isAgain: true, ...confirmed }),
  change('north', 'lock'),
  change('north', 'unlock'),
  change('north', 'set', { plan: 'slow' }),
  change('north', 'set', { silenceHours: 72, plan: 'slow', share: true }),
  change('north', 'remove'),
  change('north', 'remove', confirmed),
  change('broken', 'lock'),
  rotate('broken', confirmed),
  change('broken', 'unlock'),
  change('broken', 'remove', confirmed),
  READ,
];

test('the changes of lists and clients that the console makes, and what it says', async () => {
  const shown = await showRequests([...changesOfLists, ...changesOfValues, ...changesOfClients]);
  await expectGolden(shown, 'console-requests/changes.txt');
});

testEachIsCompared('console-requests');
