import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RowEdit } from '../../../admin/lists/plan/read-edits.ts';
import { eventually } from '../../support/local-run.ts';
import { itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';
import { codeOf, emptyDeployment, putItems } from '../tables.ts';
import { holdProcess, startTestConsole, watchProcesses } from './test-console.ts';

const engine = await startFaultyEngine();
const { names, data } = await emptyDeployment({ engine: engine.endpoint });
const table = names.MaterialCodes;
const console = await startTestConsole(data);
await console.read();
let stopped: Promise<void> | undefined;
afterAll(async () => {
  await (stopped ?? console.stop());
  await engine.stop();
});

const A = codeOf('A', { Name: { S: 'a' }, Weight: { N: '7.85' } });
const B = codeOf('B', { Name: { S: 'b' } });

beforeEach(async () => {
  engine.decide(() => 'through');
  const rows = (await itemsOf(table)).map(({ MaterialCode }) => ({
    DeleteRequest: { Key: { MaterialCode } },
  }));
  for (let from = 0; from < rows.length; from += 25) {
    const RequestItems = { [table]: rows.slice(from, from + 25) } as never;
    await testClient().send(new BatchWriteItemCommand({ RequestItems }));
  }
  await putItems(table, [A, B]);
});

const planEdits = (...edits: RowEdit[]) => console.post('/api/lists/codes/review', edits);
const planFile = (content: string, query = '', signal?: AbortSignal) =>
  console.postAs('octet-stream', `/api/lists/codes/review?file=codes.csv${query}`, content, signal);
const write = ({ body }: { body: { id: string } }) =>
  console.post(`/api/reviews/${body.id}`, { acceptsWarnings: true });
const refusedWith = (status: number, words: string | RegExp) => {
  return { status, body: { message: expect.stringMatching(words) } };
};

const named = (identifier: string, text: string, kind: RowEdit['kind'] = 'changed'): RowEdit => ({
  ...{ kind, identifier, cells: [{ name: 'Name', kind: 'text', text }] },
});
const removal = (identifier: string): RowEdit => ({ kind: 'removed', identifier, cells: [] });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => named(`N-${index}`, 'x', 'added'));
const stored = async () => {
  const rows = (await itemsOf(table)).map((row) => [row['MaterialCode']?.S ?? '', row] as const);
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
};

describe('edits', () => {
  test('leave what somebody else has changed after the review, and name it as a conflict', async () => {
    const mine = await planEdits(named('A', 'mine'), named('B', 'mine'));
    const late = await planEdits(named('A', 'late'));
    expect((await write(await planEdits(named('A', 'theirs')))).body.changed).toBe(1);
    expect((await write(mine)).body).toMatchObject({ added: 0, changed: 1, removed: 0, conflicts: ['A'] });
    const { change, ...written } = (await write(late)).body;
    expect([change, written]).toMatchObject([undefined, { changed: 0, conflicts: ['A'] }]);
    expect(await stored()).toEqual([{ ...A, Name: { S: 'theirs' } }, codeOf('B', { Name: { S: 'mine' } })]);
    expect((await write(await planEdits(named('A', 'mine')))).body.conflicts).toEqual([]);
  });

  test.each([
    ['while they cannot be read', 'deny', /renamed material codes\. These credentials are not allowed/],
    ['while they are read for the first time', 'hang', /renamed material codes\. The console is still read/],
  ] as const)('are not compared with balances %s, and a warning says so', async (_, fault, words) => {
    engine.decide((call) => (call === 'Query' ? fault : 'through'));
    const other = await startTestConsole(data, { cache: false });
    onTestFinished(() => other.stop());
    const isDenied = async () => (await other.get('/api/state')).body.failure !== undefined;
    if (fault === 'deny') await eventually(isDenied);
    const { body } = await other.post('/api/lists/codes/review', [removal('A')]);
    expect(body).toMatchObject({ removed: 1, warnings: [[expect.stringMatching(words)]] });
  });

  test('that are all wrong are refused, and the console goes on', async () => {
    const body = `[${'0,'.repeat(15_000_000)}0]`;
    expect(await console.postAs('json', '/api/lists/codes/review', body)).toMatchObject({ status: 400 });
    expect(await planEdits()).toMatchObject({ status: 200 });
  });

  test('that AWS refuses or that cannot reach it have a status and words, and the next ones are planned', async () => {
    engine.decide(() => 'deny');
    expect(await planEdits(removal('A'))).toMatchObject(refusedWith(502, /^These credentials are not/));
    engine.decide(() => 'error');
    expect(await planEdits(removal('A'))).toMatchObject(refusedWith(503, /^The table cannot be reached/));
    engine.decide(() => 'through');
    expect((await planEdits(removal('A'))).body).toMatchObject({ removed: 1 });
  });
});

describe('files', () => {
  test('that replace a list remove what they lack', async () => {
    const replacing = await planFile('Code,Weight\nA,7.85\nC,1\n', '&replace=true');
    expect(replacing.body).toMatchObject({ added: 1, changed: 1, removed: 1 });
    await write(replacing);
    const heads = (await itemsOf(names.AdminRecords)).filter(({ Topic }) => Topic?.S === 'MaterialCodes');
    expect(heads).toContainEqual(expect.objectContaining({ Source: { S: 'codes.csv' } }));
    expect(await stored()).toEqual([
      codeOf('A', { Weight: { S: '7.85' } }),
      codeOf('C', { Weight: { S: '1' } }),
    ]);
  });

  test('are read one after the other, each in a process that ends with its page, while other work goes on', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `C-${index},x`);
    const large = ['MaterialCode,Name', ...rows].join('\n');
    const started = watchProcesses();
    /** Waits for the process that reads a file, after the one of another file. */
    const readerAfter = async (ended?: number) => {
      let pid: number | undefined;
      await eventually(() => {
        pid = started().find((id) => id !== ended);
        return pid !== undefined;
      });
      return Number(pid);
    };
    const leaving = new AbortController();
    const left = expect(planFile(large, '', leaving.signal)).rejects.toThrow('aborted');
    const first = await readerAfter();
    holdProcess(first);
    const next = planFile(large);
    expect((await planEdits(removal('A'))).body).toMatchObject({ removed: 1 });
    expect(started()).toHaveLength(1);
    leaving.abort();
    await left;
    process.kill(await readerAfter(first), 'SIGKILL');
    expect(await next).toMatchObject(
      refusedWith(500, /^The process ended early\. .* or import fewer rows\.$/),
    );
    expect((await planFile('MaterialCode,Name\nC,c\n')).body).toMatchObject({ added: 1 });
    await eventually(() => started().length === 0);
  });
});

test('the end of the console waits for the calls under way and says what is written, and a write that arrives then writes nothing', async () => {
  const plan = await planEdits(...many(300));
  expect(plan.body).toMatchObject({ added: 300, changes: { length: 200 } });
  const { id } = (await planEdits(removal('A'))).body;
  const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<'through'>()];
  engine.decide((call, _, { body }) => {
    if (call !== 'TransactWriteItems' || !body.includes(table)) return 'through';
    arrived.resolve();
    return ended.promise;
  });
  const written = write(plan);
  await arrived.promise;
  const socket = connect(console.port, '127.0.0.1');
  const own = [`Host: 127.0.0.1:${console.port}`, `Cookie: ${console.cookie}`, `Origin: ${console.origin}`];
  const headers = [...own, 'Content-Type: application/json', 'Content-Length: 25', 'Connection: close'];
  socket.write([`POST /api/reviews/${id} HTTP/1.1`, ...headers].join('\r\n'));
  // Another response comes after what arrived before it.
  await console.get('/api/query/help');
  stopped = console.stop();
  socket.write('\r\n\r\n{"acceptsWarnings": true}');
  expect(await text(socket)).toContain('0 of 1 change is written');
  ended.resolve('through');
  expect(await written).toMatchObject(
    refusedWith(400, /^160 of 300 changes are written \(160 added, .* Review the other/),
  );
  await stopped;
  expect(await stored()).toHaveLength(162);
});
