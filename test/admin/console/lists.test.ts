import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { RowEdit } from '../../../admin/console/api.ts';
import { createTable, rowsOf, startFaultyEngine } from '../../support/tables.ts';
import { dataFolder, type Item, ODD, putItems } from '../tables.ts';
import { startTestConsole, type TestConsole, testSession } from './test-console.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let running: TestConsole;
let table: string;
let data: string;

const code = (text: string, attributes: Item = {}): Item => ({ MaterialCode: { S: text }, ...attributes });
const A = code('A', { Name: { S: 'a' }, Weight: { N: '7.85' } });

beforeEach(async () => {
  table = await createTable('MaterialCodes');
  await putItems(table, [A, code('B', { Name: { S: 'b' } })]);
  engine.decide(() => 'through');
  data = dataFolder({ MaterialCodes: table }, { engine: engine.endpoint });
  running = await startTestConsole(await testSession(data));
  return () => running.stop();
});

const planEdits = (...edits: RowEdit[]) => running.post('/api/lists/codes/plan', edits);
const planFile = async (content: string | Buffer, query = '') => {
  const headers = { Origin: running.origin, 'Content-Type': 'application/octet-stream' };
  const options = { method: 'POST', headers, body: content };
  const { text, status } = await running.send(`/api/lists/codes/plan?file=codes.csv${query}`, options);
  return { status, body: JSON.parse(text) };
};
const write = ({ body }: { body: { id: string } }) => running.post(`/api/plans/${body.id}`, {});

const named = (identifier: string, text: string, kind: RowEdit['kind'] = 'changed'): RowEdit => ({
  kind,
  identifier,
  cells: [{ name: 'Name', kind: 'text', text }],
});
const removal = (identifier: string): RowEdit => ({ kind: 'removed', identifier, cells: [] });
const stored = async () => {
  const rows = (await rowsOf(table)).map((row) => [row['MaterialCode']?.S ?? '', row] as const);
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
};

test('a list is a table of texts, with a column for each attribute', async () => {
  await putItems(table, [code('<img onerror>', { ...ODD, Weight: { N: '-0.5' } })]);
  const { status, body } = await running.get('/api/lists/codes');
  expect(status).toBe(200);
  const columns = Object.entries({ Weight: 'number', Name: 'text', Tags: 'json', constructor: 'text' });
  for (const [name, kind] of columns) expect(body.columns).toContainEqual({ name, kind });
  const [first, second] = body.rows;
  const cells = expect.arrayContaining(['-0.5', '[2,10]']);
  expect(first).toMatchObject({ identifier: '<img onerror>', cells });
  expect(second.cells.filter((cell: unknown) => cell !== null)).toEqual(['a', '7.85']);
});

describe('edits', () => {
  test('are planned, and written once', async () => {
    const edits = [named('C', '<b>', 'added'), { ...named('A', ''), cells: [] }, removal('B'), removal('Z')];
    const weight = { name: 'Weight', kind: 'number' as const, text: '8.0' };
    const plan = await planEdits(...edits, { kind: 'added', identifier: 'D', cells: [weight] });
    expect(plan.body).toMatchObject({ added: 2, changed: 0, removed: 1, unchanged: 1, warnings: [] });
    expect(plan.body.changes).toEqual([
      { kind: 'added', identifier: 'C', attribute: 'Name', before: '', after: '<b>' },
      { kind: 'added', identifier: 'D', attribute: 'Weight', before: '', after: '8' },
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

  test('are refused with every fault in words', async () => {
    const ofB = (name: string, text: string): RowEdit => {
      return { kind: 'changed', identifier: 'B', cells: [{ name, kind: 'number', text }] };
    };
    const cells = [ofB('Weight', '7,85'), ofB('__proto__', '1'), ofB('MaterialCode', '1')];
    const rows = [named('A', 'x', 'added'), named('Z', 'x'), named('A B', 'x', 'added')];
    const { status, body } = await planEdits(...rows, ...cells);
    expect(status).toBe(400);
    expect(body.message.split('\n')).toEqual([
      'These changes are refused because of 6 faults. Nothing was written.',
      '"A": this MaterialCode is already in the list',
      '"Z": this row is no longer in the list; discard its changes',
      expect.stringMatching(/^"A B": "A B" is not a valid MaterialCode: /),
      expect.stringMatching(/^"B": column "Weight": "7,85" is .*; write 7\.85$/),
      expect.stringMatching(/^"B": an attribute cannot have the name __proto__/),
      '"B": every row already has a MaterialCode; choose another name for the column',
    ]);
  });
});

test('a change that somebody else makes after the plan stays, and is named as a conflict', async () => {
  const mine = await planEdits(named('A', 'mine'), named('B', 'mine'));
  expect((await write(await planEdits(named('A', 'theirs')))).body.changed).toBe(1);
  expect((await write(mine)).body).toEqual({ added: 0, changed: 1, removed: 0, conflicts: ['A'] });
  expect(await stored()).toEqual([{ ...A, Name: { S: 'theirs' } }, code('B', { Name: { S: 'mine' } })]);
  expect((await write(await planEdits(named('A', 'mine')))).body.conflicts).toEqual([]);
});

test('the end of the console waits for a write under way, which is answered', async () => {
  const ending = await startTestConsole(await testSession(data));
  const plan = await ending.post('/api/lists/codes/plan', [named('A', 'new')]);
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<'through'>();
  engine.decide(() => {
    arrived.resolve();
    return ended.promise;
  });
  const written = ending.post(`/api/plans/${plan.body.id}`, {});
  await arrived.promise;
  const stopped = ending.stop();
  setImmediate(() => ended.resolve('through'));
  expect((await written).body).toMatchObject({ changed: 1 });
  await stopped;
});

describe('a file', () => {
  test('is planned with its warnings, and with replace removes what it lacks', async () => {
    const file = 'Code,Weight\nA,7.85\nC,1\n';
    expect((await planFile(file)).body).toMatchObject({
      added: 1,
      changed: 1,
      removed: 0,
      warnings: [
        expect.stringContaining('No column has the title MaterialCode'),
        expect.stringContaining('"Weight" is a number in 1 row of the list and becomes a text'),
      ],
      changes: [
        { kind: 'added', identifier: 'C' },
        { kind: 'changed', identifier: 'A', attribute: 'Weight', before: '7.85', after: '"7.85"' },
      ],
    });
    const replacing = await planFile(file, '&replace=true');
    expect(replacing.body).toMatchObject({ added: 1, changed: 1, removed: 1 });
    await write(replacing);
    expect((await stored()).map((row) => row['MaterialCode']?.S)).toEqual(['A', 'C']);
  });

  test('with numbers that can be read in two ways is planned with the decimal sign that the admin names', async () => {
    const file = 'MaterialCode;Weight:number\nA;1.234\nB;309,40\n';
    expect((await planFile(file)).status).toBe(400);
    const { changes } = (await planFile(file, '&decimal=%2C')).body;
    expect(changes.map(({ after }: { after: string }) => after)).toEqual(['1234', '309.4']);
  });

  test('with faults is refused with their lines', async () => {
    const message = expect.stringMatching(/^The file is refused because of 1 fault.*\nline 2: "A B"/);
    expect(await planFile('MaterialCode,Name\nA B,x\n')).toMatchObject({ status: 400, body: { message } });
    expect((await planFile('')).body.message).toContain('The file is empty');
  });
});
