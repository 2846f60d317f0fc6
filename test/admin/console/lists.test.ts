import { request } from 'node:http';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShownValue } from '../../../admin/console/api.ts';
import { type StockService, startStockThreads } from '../../../admin/console/threads/start-stock-threads.ts';
import type { RowEdit } from '../../../admin/lists/plan/read-edits.ts';
import { createTable, itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';
import { dataFolder, type Item, NOWHERE, putItems } from '../tables.ts';
import { startTestConsole, testSession } from './test-console.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

const table = await createTable('MaterialCodes');
const data = dataFolder({ MaterialCodes: table }, { engine: engine.endpoint });

const code = (text: string, attributes: Item = {}): Item => ({ MaterialCode: { S: text }, ...attributes });
const A = code('A', { Name: { S: 'a' }, Weight: { N: '7.85' } });

/** Called when the console has asked the thread that writes. */
let onAsked: (response: Promise<string>) => void;

/** A console whose own thread cannot reach the service. */
const start = async () => {
  const session = await testSession(data);
  const stock = startStockThreads(session, { cache: false });
  const watched: StockService = {
    ...stock,
    planOrWrite: (request, signal) => {
      const response = stock.planOrWrite(request, signal);
      onAsked(response);
      return response;
    },
  };
  const deployment = { ...session.deployment, dynamodb: testClient(NOWHERE) };
  return { ...(await startTestConsole({ ...session, deployment }, { stock: watched })), stock };
};
let running = await start();
afterAll(() => running.stop());

beforeEach(async () => {
  engine.decide(() => 'through');
  onAsked = () => {};
  const rows = (await itemsOf(table)).map(({ MaterialCode }) => ({
    DeleteRequest: { Key: { MaterialCode } },
  }));
  for (let from = 0; from < rows.length; from += 25) {
    const RequestItems = { [table]: rows.slice(from, from + 25) } as never;
    await testClient().send(new BatchWriteItemCommand({ RequestItems }));
  }
  await putItems(table, [A, code('B', { Name: { S: 'b' } })]);
});

const planEdits = (...edits: RowEdit[]) => running.post('/api/lists/codes/review', edits);
const planFile = async (content: string | Buffer, query = '') => {
  const headers = { Origin: running.origin, 'Content-Type': 'application/octet-stream' };
  const options = { method: 'POST', headers, body: content };
  const { text, status } = await running.send(`/api/lists/codes/review?file=codes.csv${query}`, options);
  return { status, body: JSON.parse(text) };
};
const write = ({ body }: { body: { id: string } }) => running.post(`/api/reviews/${body.id}`, {});

const named = (identifier: string, text: string, kind: RowEdit['kind'] = 'changed'): RowEdit => ({
  kind,
  identifier,
  cells: [{ name: 'Name', kind: 'text', text }],
});
const removal = (identifier: string): RowEdit => ({ kind: 'removed', identifier, cells: [] });
const stored = async () => {
  const rows = (await itemsOf(table)).map((row) => [row['MaterialCode']?.S ?? '', row] as const);
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
};

const never = new AbortController().signal;

describe('edits', () => {
  test('cannot replace a set by the list that a cell shows, but by another set', async () => {
    await putItems(table, [code('A', { Sizes: { M: { all: { L: [{ NS: ['1', '2'] }] } } } })]);
    const edit = (text: string): RowEdit => ({
      kind: 'changed',
      identifier: 'A',
      cells: [{ name: 'Sizes', kind: 'text', text }],
    });
    expect((await planEdits(edit('{"all":[[1,3]]}'))).body.message).toContain(
      'column "Sizes": the row has a set',
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
    expect(plan.body).toMatchObject({ added: 2, changed: 0, removed: 1, notices: [] });
    expect(plan.body.changes).toEqual([
      { kind: 'added', identifier: 'C', attribute: 'Name', before: '', after: '<b>' },
      { kind: 'added', identifier: 'D', attribute: 'Weight', before: '', after: { number: '8' } },
      { kind: 'removed', identifier: 'B', attribute: 'Name', before: 'b', after: '' },
    ]);
    expect(await stored()).toHaveLength(2);
    expect((await write(plan)).body).toEqual({ added: 2, changed: 0, removed: 1, conflicts: [] });
    const rows = [A, code('C', { Name: { S: '<b>' } }), code('D', { Weight: { N: '8' } })];
    expect(await stored()).toEqual(rows);
    const message = expect.stringContaining('Review them again');
    expect(await write(plan)).toMatchObject({ status: 400, body: { message } });
    expect(await stored()).toEqual(rows);
  });

  test('are refused with every error in words', async () => {
    const ofB = (name: string, text: string): RowEdit => {
      return { kind: 'changed', identifier: 'B', cells: [{ name, kind: 'number', text }] };
    };
    const cells = [ofB('Weight', '7,85'), ofB('__proto__', '1'), ofB('MaterialCode', '1')];
    const half = named('B', 'a\ud83d');
    const rows = [named('A', 'x', 'added'), named('Z', 'x'), named('A B', 'x', 'added'), half];
    const { status, body } = await planEdits(...rows, ...cells);
    expect(status).toBe(400);
    expect(body.message.split('\n')).toEqual([
      'These changes are refused because of 7 errors. Nothing was written.',
      '"A": this MaterialCode is already in the list; remove the new row',
      '"Z": this row is no longer in the list; discard its changes',
      expect.stringMatching(/^"A B": "A B" is not a valid MaterialCode: /),
      '"B": column "Name": the text contains half of a surrogate pair',
      expect.stringMatching(/^"B": column "Weight": "7,85" is .*; write 7\.85$/),
      expect.stringMatching(/^"B": an attribute cannot have the name __proto__/),
      '"B": every row already has a MaterialCode; choose another name for the column',
    ]);
  });
});

test('an edit of a list that does not exist is not found', async () => {
  expect((await running.post('/api/lists/none/review', [])).status).toBe(404);
});

test('an edit is read with the decimal sign that the admin names', async () => {
  const cells = [{ name: 'Weight', kind: 'number', text: '7,9' }];
  const edits = [{ kind: 'changed', identifier: 'A', cells }];
  const { body } = await running.post('/api/lists/codes/review?decimal=%2C', edits);
  expect(body.changes).toMatchObject([{ before: { number: '7.85' }, after: { number: '7.9' } }]);
});

test('an edit in a column of several types keeps the type of the value', async () => {
  await putItems(table, [code('A', { Mixed: { N: '1' } }), code('B', { Mixed: { L: [{ N: '1' }] } })]);
  const edit = (identifier: string, text: string): RowEdit => ({
    ...named(identifier, ''),
    cells: [{ name: 'Mixed', kind: 'text', text }],
  });
  await write(await planEdits(edit('A', '2'), edit('B', '[2]'), { ...edit('C', '3'), kind: 'added' }));
  expect((await stored()).map((row) => row['Mixed'])).toEqual([{ N: '2' }, { L: [{ N: '2' }] }, { S: '3' }]);
});

test('an attribute may have the name of a property that every object has', async () => {
  const cells = ['constructor', 'toString'].map((name) => ({ name, kind: 'text' as const, text: 'new' }));
  const plan = await planEdits({ ...named('A', ''), cells }, { kind: 'added', identifier: 'C', cells });
  expect(plan.body).toMatchObject({ added: 1, changed: 1 });
  await write(plan);
  const edited: Item = Object.fromEntries(cells.map(({ name, text }) => [name, { S: text }]));
  expect(await stored()).toEqual([{ ...A, ...edited }, code('B', { Name: { S: 'b' } }), code('C', edited)]);
});

test('edits that were written in part are written by the same edits again', async () => {
  const edits = Array.from({ length: 30 }, (_, index) => named(`N-${index}`, 'x', 'added'));
  let writes = 0;
  engine.decide((call) => {
    if (call === 'Scan') return 'through';
    writes += 1;
    return writes > 1 ? 'deny' : 'through';
  });
  const message = expect.stringMatching(/10 of 30 changes are written .* Review the other changes again/);
  expect(await write(await planEdits(...edits))).toMatchObject({ status: 400, body: { message } });
  engine.decide(() => 'through');
  const again = await planEdits(...edits);
  expect(again.body).toMatchObject({ added: 20, changed: 0 });
  expect((await write(again)).body).toMatchObject({ added: 20, conflicts: [] });
  expect(await stored()).toHaveLength(32);
});

test('a change that somebody else makes after the plan stays, and is named as a conflict', async () => {
  const mine = await planEdits(named('A', 'mine'), named('B', 'mine'));
  expect((await write(await planEdits(named('A', 'theirs')))).body.changed).toBe(1);
  expect((await write(mine)).body).toEqual({ added: 0, changed: 1, removed: 0, conflicts: ['A'] });
  expect(await stored()).toEqual([{ ...A, Name: { S: 'theirs' } }, code('B', { Name: { S: 'mine' } })]);
  expect((await write(await planEdits(named('A', 'mine')))).body.conflicts).toEqual([]);
});

describe('a file', () => {
  test('is planned with its notices, and with replace removes what it lacks', async () => {
    const file = 'Code,Weight\nA,7.85\nC,1\n';
    expect((await planFile(file)).body).toMatchObject({
      added: 1,
      changed: 1,
      removed: 0,
      notices: [
        expect.stringContaining('No column has the title MaterialCode'),
        expect.stringContaining('"Weight" is a number in 1 row of the list and becomes a text'),
      ],
      changes: [
        { kind: 'added', identifier: 'C' },
        {
          kind: 'changed',
          identifier: 'A',
          attribute: 'Weight',
          before: { number: '7.85' },
          after: '"7.85"',
        },
      ],
    });
    const replacing = await planFile(file, '&replace=true');
    expect(replacing.body).toMatchObject({ added: 1, changed: 1, removed: 1 });
    await write(replacing);
    expect((await stored()).map((row) => row['MaterialCode']?.S)).toEqual(['A', 'C']);
  });

  test('with numbers that can be read in two ways is planned with the decimal sign that the admin names', async () => {
    const file = 'MaterialCode;Weight:number\nA;1.234\nB;309,40\n';
    const message = expect.stringContaining(
      'choose the decimal sign "," for the first, or "." for the second',
    );
    expect(await planFile(file)).toMatchObject({ status: 400, body: { message } });
    const { changes } = (await planFile(file, '&decimal=%2C')).body;
    expect(changes.map(({ after }: { after: ShownValue }) => after)).toEqual([
      { number: '1234' },
      { number: '309.4' },
    ]);
  });

  test('with errors is refused with their lines', async () => {
    const message = expect.stringMatching(/^The file is refused because of 1 error.*\nline 2: "A B"/);
    expect(await planFile('MaterialCode,Name\nA B,x\n')).toMatchObject({ status: 400, body: { message } });
    expect((await planFile('')).body.message).toContain('The file is empty');
  });
});

describe('in a thread of its own', () => {
  test('a change is written, although others are planned and written after it', async () => {
    expect((await write(await planFile('MaterialCode,Name\nC,c\n'))).body).toMatchObject({ added: 1 });
    const plan = await planEdits(removal('A'));
    expect((await write(await planEdits(named('B', 'new')))).body).toMatchObject({ changed: 1 });
    expect((await write(plan)).body).toEqual({ added: 0, changed: 0, removed: 1, conflicts: [] });
    expect(await stored()).toEqual([code('B', { Name: { S: 'new' } }), code('C', { Name: { S: 'c' } })]);
    const message = expect.stringContaining('Review them again');
    expect(await write(plan)).toMatchObject({ status: 400, body: { message } });
  });

  test('what is wrong with a change, or refused by AWS, has the same status and words', async () => {
    const outcome = async (edit: RowEdit) => {
      const { status, body } = await planEdits(edit);
      return [status, body.message];
    };
    expect(await outcome(named('Z', 'x'))).toEqual([400, expect.stringContaining('no longer in the list')]);
    engine.decide(() => 'deny');
    expect(await outcome(removal('A'))).toEqual([502, expect.stringMatching(/^These credentials are not/)]);
    engine.decide(() => 'error');
    expect(await outcome(removal('A'))).toEqual([503, expect.stringMatching(/^The table cannot be reached/)]);
    engine.decide(() => 'through');
    expect((await planEdits(removal('A'))).body).toMatchObject({ removed: 1 });
  });

  test('the end of the console waits for the calls under way, and the response says what is written', async () => {
    const edits = Array.from({ length: 300 }, (_, index) => named(`N-${index}`, 'x', 'added'));
    const plan = await planEdits(...edits);
    expect(plan.body).toMatchObject({ added: 300, changes: { length: 200 } });
    const arrived = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<'through'>();
    engine.decide((call) => {
      if (call !== 'TransactWriteItems') return 'through';
      arrived.resolve();
      return ended.promise;
    });
    const written = write(plan);
    await arrived.promise;
    const stopped = running.stop();
    // The thread has then got what the console said before.
    await expect(running.stock.planOrWrite({ kind: 'write', id: 'none' }, never)).rejects.toThrow(
      'already written',
    );
    ended.resolve('through');
    const message = expect.stringMatching(/^160 of 300 changes are written \(160 added, .* Review the other/);
    expect(await written).toMatchObject({ status: 400, body: { message } });
    await stopped;
    running = await start();
    expect(await stored()).toHaveLength(162);
  });

  test('a write that the console takes on while it ends writes nothing, and says so', async () => {
    const { id } = (await planEdits(removal('A'))).body;
    const written = running.stock.planOrWrite({ kind: 'write', id }, AbortSignal.abort());
    await expect(written).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^0 of 1 change is written/),
    });
    expect(await stored()).toHaveLength(2);
  });

  test('a file is not read to its end for a page that is left, and the next file is planned', async () => {
    const rows = Array.from({ length: 400_000 }, (_, index) => `C-${index},x`);
    const headers = {
      ...{ Cookie: running.cookie, Host: `127.0.0.1:${running.port}`, Origin: running.origin },
      'Content-Type': 'application/octet-stream',
    };
    const leaving = request(`${running.origin}/api/lists/codes/review`, { method: 'POST', headers });
    const response = new Promise((resolve) => {
      onAsked = (asked) => {
        leaving.destroy();
        resolve(asked);
      };
    });
    leaving.on('error', () => {}).end(['MaterialCode,Name', ...rows].join('\n'));
    await expect(response).rejects.toThrow('aborted');
    onAsked = () => {};
    expect((await planFile('MaterialCode,Name\nC,c\n')).body).toMatchObject({ added: 1 });
  });

  test('a thread that ends before it responds is a sentence, and the next change starts another one', async () => {
    engine.decide(() => 'hang');
    const asked = new Promise((resolve) => {
      onAsked = () => resolve(undefined);
    });
    const planned = planEdits(removal('A'));
    await asked;
    await running.stock.end();
    const message = expect.stringMatching(
      /^The thread that writes changes has ended .*Before you try again, review the changes of a list again/,
    );
    expect(await planned).toMatchObject({ status: 503, body: { message } });
    engine.decide(() => 'through');
    expect((await planEdits(removal('A'))).body).toMatchObject({ removed: 1 });
  });
});
