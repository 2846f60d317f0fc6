import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RowEdit } from '../../../admin/lists/plan/read-edits.ts';
import { type Marked, withoutMarks } from '../../../admin/text/marked.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { entryOf } from '../../support/batches.ts';
import { eventually } from '../../support/local-run.ts';
import { itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';
import { emptyDeployment, type Item, putBatch, putItems } from '../tables.ts';
import { holdProcess, startTestConsole, watchProcesses } from './test-console.ts';

const engine = await startFaultyEngine();
const { names, data } = await emptyDeployment({ engine: engine.endpoint });
const table = names.MaterialCodes;
await putBatch(names.BalanceSnapshots, 'warehouse', new Date(Date.now() - HOUR_MS), [entryOf('A', 1.5)]);
const console = await startTestConsole(data);
await console.read();
let stopped: Promise<void> | undefined;
afterAll(async () => {
  await (stopped ?? console.stop());
  await engine.stop();
});

const code = (text: string, attributes: Item = {}): Item => ({ MaterialCode: { S: text }, ...attributes });
const A = code('A', { Name: { S: 'a' }, Weight: { N: '7.85' } });
const B = code('B', { Name: { S: 'b' } });

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

/** Waits until what a test has refused is read again. */
const readAgain = () => eventually(async () => (await console.get('/api/state')).body.failure === undefined);

const planEdits = (...edits: RowEdit[]) => console.post('/api/lists/codes/review', edits);
const planFile = (content: string, query = '', signal?: AbortSignal) =>
  console.postAs('octet-stream', `/api/lists/codes/review?file=codes.csv${query}`, content, signal);
const write = ({ body }: { body: { id: string } }) =>
  console.post(`/api/reviews/${body.id}`, { acceptsWarnings: true });
const refusedWith = (status: number, words: string | RegExp) => {
  return { status, body: { message: expect.stringMatching(words) } };
};

const named = (
  identifier: string,
  text: string,
  kind: RowEdit['kind'] = 'changed',
  name = 'Name',
): RowEdit => ({
  kind,
  identifier,
  cells: [{ name, kind: 'text', text }],
});
const removal = (identifier: string): RowEdit => ({ kind: 'removed', identifier, cells: [] });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => named(`N-${index}`, 'x', 'added'));
const stored = async () => {
  const rows = (await itemsOf(table)).map((row) => [row['MaterialCode']?.S ?? '', row] as const);
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
};

describe('edits', () => {
  test('cannot replace a set by the list that a cell shows, but by another set', async () => {
    await putItems(table, [code('A', { Sizes: { M: { all: { L: [{ NS: ['1', '2'] }] } } } })]);
    const edit = (text: string) => named('A', text, 'changed', 'Sizes');
    expect(await planEdits(edit('{"all":[[1,3]]}'))).toMatchObject(
      refusedWith(400, 'column "Sizes": the row has a set'),
    );
    expect((await planEdits(edit('{"all":[[2,1]]}'))).body).toMatchObject({ changed: 0 });
    await write(await planEdits(edit('{"all":[{"DynamoDB":{"NS":["1","3"]}}]}')));
    expect((await stored())[0]?.['Sizes']).toEqual({ M: { all: { L: [{ NS: ['1', '3'] }] } } });
    await write(await planEdits(edit('')));
    expect((await stored())[0]).toEqual(code('A'));
  });

  test('are planned, and written once', async () => {
    const edits = [named('C', '<b>', 'added'), { ...named('A', ''), cells: [] }, removal('B'), removal('Z')];
    const weight = { name: 'Weight', kind: 'number' as const, text: '8.0' };
    const plan = await planEdits(...edits, { kind: 'added', identifier: 'D', cells: [weight] });
    expect(plan.body).toMatchObject({ added: 2, changed: 0, removed: 1, warnings: [] });
    expect(await stored()).toEqual([A, B]);
    expect((await write(plan)).body).toMatchObject({ added: 2, changed: 0, removed: 1, conflicts: [] });
    const rows = [A, code('C', { Name: { S: '<b>' } }), code('D', { Weight: { N: '8' } })];
    expect(await stored()).toEqual(rows);
    expect(await write(plan)).toMatchObject(refusedWith(400, 'Review them again'));
    expect(await stored()).toEqual(rows);
  });

  test('keep the type of each value in a column of several types, and may name an attribute like a property of every object', async () => {
    await putItems(table, [code('A', { Mixed: { N: '1' } }), code('B', { Mixed: { L: [{ N: '1' }] } })]);
    const edit = (identifier: string, text: string, kind?: RowEdit['kind']) =>
      named(identifier, text, kind, 'Mixed');
    const cells = ['constructor', 'toString'].map((name) => ({ name, kind: 'text' as const, text: 'new' }));
    const plan = await planEdits(edit('A', '2'), edit('B', '[2]'), edit('C', '3', 'added'), {
      kind: 'added',
      identifier: 'D',
      cells,
    });
    expect(plan.body).toMatchObject({ added: 2, changed: 2 });
    await write(plan);
    const expected = [{ N: '2' }, { L: [{ N: '2' }] }, { S: '3' }].map((Mixed) => ({ Mixed }));
    const rows = [...expected, { constructor: { S: 'new' }, toString: { S: 'new' } }];
    expect(await stored()).toEqual(
      ['A', 'B', 'C', 'D'].map((name, index) => code(name, rows[index] as never)),
    );
  });

  test('rename a row, with its other attributes and changed ones, but not to a code that is taken', async () => {
    const rename = (identifier: string, to: string, ...cells: RowEdit['cells']): RowEdit => {
      return { kind: 'renamed', identifier, to, cells };
    };
    const plan = await planEdits(rename('A', 'A-2', { name: 'Weight', kind: 'number', text: '8' }));
    const line = { kind: 'renamed', identifier: 'A' };
    expect(plan.body).toMatchObject({
      added: 0,
      renamed: 1,
      removed: 0,
      changes: [
        { ...line, attribute: 'MaterialCode', before: 'A', after: 'A-2' },
        { ...line, attribute: 'Weight', before: { number: '7.85' }, after: { number: '8' } },
      ],
    });
    expect(await planEdits(rename('A', 'B'))).toMatchObject(refusedWith(400, '"B" is already in the list'));
    expect(await planEdits(rename('A', 'C'), rename('B', 'C'))).toMatchObject(
      refusedWith(400, 'the MaterialCode "C" is already in "A"'),
    );
    expect((await write(plan)).body).toMatchObject({ renamed: 1, changed: 0, conflicts: [] });
    expect(await stored()).toEqual([{ ...A, MaterialCode: { S: 'A-2' }, Weight: { N: '8' } }, B]);
  });

  test('that were written in part are written by the same edits again', async () => {
    let writes = 0;
    engine.decide((call, _, { body }) => {
      if (call === 'Scan' || !body.includes(table)) return 'through';
      writes += 1;
      return writes > 1 ? 'deny' : 'through';
    });
    expect(await write(await planEdits(...many(30)))).toMatchObject(
      refusedWith(400, /10 of 30 changes are written .* Review the other changes again/),
    );
    engine.decide(() => 'through');
    const again = await planEdits(...many(30));
    expect(again.body).toMatchObject({ added: 20, changed: 0 });
    expect((await write(again)).body).toMatchObject({ added: 20, conflicts: [] });
    expect(await stored()).toHaveLength(32);
  });

  test('leave what somebody else has changed after the review, and name it as a conflict', async () => {
    const mine = await planEdits(named('A', 'mine'), named('B', 'mine'));
    expect((await write(await planEdits(named('A', 'theirs')))).body.changed).toBe(1);
    expect((await write(mine)).body).toMatchObject({ added: 0, changed: 1, removed: 0, conflicts: ['A'] });
    expect(await stored()).toEqual([{ ...A, Name: { S: 'theirs' } }, code('B', { Name: { S: 'mine' } })]);
    expect((await write(await planEdits(named('A', 'mine')))).body.conflicts).toEqual([]);
  });

  test('with warnings are written only when these are accepted', async () => {
    await readAgain();
    const plan = await planEdits(removal('A'), named('Б', 'x', 'added'), named('B', 'changed'));
    expect(plan.body).toMatchObject({
      warnings: [['A is removed, but has a balance: 1.5 kg in warehouse.']],
      notices: [expect.stringMatching(/^Compared with the latest batch of 1 warehouse, received 20/)],
    });
    const words = 'Nothing was written, because the review has warnings';
    expect(await console.post(`/api/reviews/${plan.body.id}`, {})).toMatchObject(refusedWith(400, words));
    expect(await stored()).toEqual([A, B]);
    expect((await write(plan)).body).toMatchObject({ added: 1, changed: 1, removed: 1 });
  });

  test('that rename a row are reviewed as a new code and a lost one', async () => {
    await readAgain();
    const { body } = await planEdits({ kind: 'renamed', identifier: 'A', to: 'В', cells: [] });
    const texts = body.warnings.map((warning: Marked) => withoutMarks(warning));
    expect(texts).toEqual([
      expect.stringMatching(/^В is new and looks like B in the list: "В" \(U\+0412, Cyrillic\)/),
      'A becomes В, but has a balance: 1.5 kg in warehouse.',
    ]);
    const toTwin: RowEdit = { kind: 'renamed', identifier: 'B', to: 'В', cells: [] };
    expect((await planEdits(toTwin)).body.warnings).toEqual([]);
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

  test('have warnings in which letters that only look like others are marked', async () => {
    await readAgain();
    await putItems(table, [code('Bolt')]);
    const { warnings } = (await planEdits(named('ВOLT', 'x', 'added'))).body;
    const [letter, other] = [
      { letter: 'В', name: 'Cyrillic' },
      { letter: 'B', name: 'Latin' },
    ];
    const place = expect.stringMatching(/^ in the list: "В" \(U\+0412, Cyrillic\) where/);
    const parts = [letter, 'OLT', ' is new and ', 'looks like ', other, 'olt', place, '.'];
    expect(warnings).toEqual([parts]);
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
    expect(await stored()).toEqual([code('A', { Weight: { S: '7.85' } }), code('C', { Weight: { S: '1' } })]);
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
