import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findChange } from '../../../../admin/lists/history/find-change.ts';
import { planUndo } from '../../../../admin/lists/history/plan-undo.ts';
import { timeOfId } from '../../../../admin/lists/history/records.ts';
import type { RowChange } from '../../../../admin/lists/plan/row-change.ts';
import { readList } from '../../../../admin/lists/storage/read-list.ts';
import { DAY_MS, MINUTE_MS } from '../../../../shared/time.ts';
import type { Fault } from '../../../support/fault-proxy.ts';
import { itemsOf, startFaultyEngine } from '../../../support/tables.ts';
import { codeOf, deleteItem, type Item, ODD, putItems } from '../../tables.ts';
import {
  impatientClient,
  killWrite,
  type ListDeployment,
  listDeployment,
  readHistory,
  writeAs,
} from './history-deployment.ts';

const LIST = 'MaterialCodes';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let clock = Date.parse('2026-01-01T00:00:00Z');
let deployment: ListDeployment;

beforeEach(async () => {
  engine.decide(() => 'through');
  deployment = await listDeployment(() => new Date(clock++), impatientClient(engine.endpoint));
});

const write = (...changes: RowChange[]) => writeAs(deployment, changes);
const added = (identifier: string, attributes: Item = {}): RowChange => {
  return { kind: 'added', identifier, before: {}, after: codeOf(identifier, attributes) };
};
const putPast = (...items: Item[]) => putItems(deployment.tables.MaterialCodes, items);
const stored = () => readList({ deployment }, LIST);
const find = async (id: string | undefined) => findChange(deployment, LIST, String(id), await stored());

const killedWrite = (table: string, call: number, ...changes: RowChange[]) =>
  killWrite(engine, table, call, () => write(...changes));

const history = () => readHistory(deployment, LIST);

describe('a write', () => {
  test('keeps the list as it was found, then who changed what with which file, with every digit and type', async () => {
    const stored = [codeOf('A', ODD), codeOf('B', ODD), codeOf('C', ODD)];
    await putItems(deployment.tables.MaterialCodes, stored);
    const [A = {}, B = {}, C = {}] = (await itemsOf(deployment.tables.MaterialCodes)).toSorted(
      (one, other) => (String(one['MaterialCode']?.S) < String(other['MaterialCode']?.S) ? -1 : 1),
    );
    const { Weight, ...light } = A;
    const changes: RowChange[] = [
      { kind: 'added', identifier: 'D', before: {}, after: codeOf('D', { Name: { S: '' } }) },
      { kind: 'changed', identifier: 'A', before: A, after: { ...light, New: { NS: ['1', '2'] } } },
      { kind: 'renamed', identifier: 'B', before: B, after: { ...B, MaterialCode: { S: 'B-2' } } },
      { kind: 'removed', identifier: 'C', before: C, after: {} },
    ];
    const { change } = await write(...changes);
    const [base, written] = await history();
    expect(base).toMatchObject({ Kind: 'base', By: 'arn:anna', Added: 3, Left: 0 });
    expect(base?.changes.map(({ after }) => after)).toEqual(expect.arrayContaining([A, B, C]));
    const counts = { Added: 1, Changed: 1, Renamed: 1, Removed: 1, Left: 0 };
    const head = { Topic: LIST, Id: change, By: 'arn:anna', Kind: 'import', Source: 'codes.csv', ...counts };
    expect(written).toMatchObject({ ...head, Parts: 1, EndedAt: expect.any(String) });
    const onlyChanged = {
      before: { MaterialCode: { S: 'A' }, Weight },
      after: codeOf('A', { New: { NS: ['1', '2'] } }),
    };
    expect(written?.changes).toEqual([changes[0], { ...changes[1], ...onlyChanged }, changes[2], changes[3]]);
    const expiries = (await itemsOf(String(deployment.records?.table)))
      .filter(({ Topic }) => [LIST, `${LIST}:${change}`].includes(Topic?.S ?? ''))
      .map(({ ExpiresAt }) => Number(ExpiresAt?.N));
    // Its part lives a day longer, so that no reader sees a head without it.
    expect(Math.max(...expiries) - Math.min(...expiries)).toBe(86_400);
  });

  test('whose response is lost for good has no end, and is found written once it may not run any more', async () => {
    await write(added('A'));
    engine.decide((_, __, { body }) => (body.includes('"new"') ? 'loseResponse' : 'through'));
    await expect(write(added('new'))).rejects.toThrow(/Up to 1 more may have been written/);
    engine.decide(() => 'through');
    const { Id, EndedAt } = (await history()).at(-1) ?? {};
    expect(EndedAt).toBeUndefined();
    clock += 16 * MINUTE_MS;
    expect((await find(Id)).changes).toEqual([added('new')]);
  });

  test('that lost all responses to its head is there once, and its rows are written', async () => {
    engine.decide((call, _, { body }) =>
      call === 'TransactWriteItems' && body.includes('import') ? 'loseResponse' : 'through',
    );
    await write(added('A'));
    expect((await history()).map(({ Kind, Added }) => [Kind, Added])).toEqual([
      ['base', 0],
      ['import', 1],
    ]);
    expect([...(await stored()).keys()]).toEqual(['A']);
  });

  test('that cannot keep what it has left has no end', async () => {
    await putPast(codeOf('A', { Name: { S: 'theirs' } }));
    engine.decide((_, __, { body }) => (body.includes('"left ') ? 'deny' : 'through'));
    await expect(write(added('A'))).rejects.toThrow('not allowed');
    expect((await history()).at(-1)).not.toHaveProperty('EndedAt');
  });

  test('from a machine whose clock is behind comes after the changes that it knows', async () => {
    await write(added('A'));
    clock -= 4 * MINUTE_MS;
    await putPast(codeOf('past'));
    await write(added('B'));
    expect((await history()).at(-1)?.changes).toEqual([added('B')]);
    for (const { Id, EndedAt = '' } of await history()) expect(EndedAt >= timeOfId(Id)).toBe(true);
  });

  test('of a row larger than a part is read back to the byte', async () => {
    const noise = (): Item => ({ Noise: { B: new Uint8Array(randomBytes(390_000)) } });
    const [before, after] = [codeOf('A', noise()), codeOf('A', noise())];
    await putPast(before);
    await write({ kind: 'changed', identifier: 'A', before, after });
    const [, written] = await history();
    expect(written?.Parts).toBe(3);
    expect(written?.changes).toEqual([{ kind: 'changed', identifier: 'A', before, after }]);
  });
});

describe('the whole list is kept again', () => {
  let number = 0;
  /** Gives a row another text, which cannot be packed. */
  const rewrite = async (bytes: number) => {
    const [before = {}] = await itemsOf(deployment.tables.MaterialCodes);
    number += 1;
    const Text = { S: number + randomBytes(bytes / 2).toString('hex') };
    await write({ kind: 'changed', identifier: 'A', before, after: { ...before, Text } });
  };
  const bases = async () => (await history()).filter(({ Kind }) => Kind === 'base').length;

  beforeEach(() => putItems(deployment.tables.MaterialCodes, [codeOf('A', { Text: { S: '' } })]));

  test('after 50 changes, because each is a call more for the next write', async () => {
    for (const change of ['B', 'C']) await write(added(change));
    for (let pair = 1; pair <= 24; pair += 1) {
      await putPast(codeOf('A', { Pair: { N: `${pair}` } }));
      await write(added(`D-${pair}`));
    }
    await write(added('E'));
    expect(await bases()).toBe(1);
    await write(added('F'));
    expect(await bases()).toBe(2);
  });

  test('after changes that are larger than the list and than a megabyte', async () => {
    // Packed, each change has the text before and the text after: 100 KB, then 200 KB each.
    for (let change = 1; change <= 6; change += 1) await rewrite(200_000);
    expect(await bases()).toBe(1);
    await rewrite(200_000);
    expect(await bases()).toBe(2);
  });
});

test('a change of a killed writer is not undone for 15 minutes, then as far as it came, and the next write ends it', async () => {
  await write(added('A'));
  await killedWrite(deployment.tables.MaterialCodes, 3, added('B'), {
    ...{ kind: 'removed', identifier: 'A', before: codeOf('A'), after: {} },
  });
  const { Id } = (await history()).at(-1) ?? {};
  await expect(find(Id)).rejects.toThrow(
    /has no end, so it may still run\. Undo it when .* Nothing was written/,
  );
  await write(added('C'));
  expect((await history()).at(-2)).not.toHaveProperty('EndedAt');
  const end = Date.parse(timeOfId(String(Id))) + 15 * MINUTE_MS;
  // Each look at the clock takes a millisecond.
  clock = end - 9;
  await expect(find(Id)).rejects.toThrow('may still run');
  clock = end + 1;
  expect((await find(Id)).changes).toEqual([added('B')]);
  await write(added('D'));
  expect((await history()).at(-3)).toMatchObject({
    Id,
    Left: 1,
    left: new Set(['A']),
    EndedAt: expect.any(String),
  });
});

test('the whole list is not kept again while a change may still run, and the history begins again when all has expired', async () => {
  const kinds = async () => (await history()).map(({ Kind }) => Kind);
  await write(added('A'));
  clock += 17.5 * DAY_MS - 5 * MINUTE_MS;
  await killedWrite(deployment.tables.MaterialCodes, 2, added('B'));
  clock += 10 * MINUTE_MS;
  expect(await kinds()).toEqual(['base', 'import', 'import']);
  await write(added('C'));
  expect(await kinds()).toEqual(['base', 'import', 'import', 'import']);
  clock += 16 * MINUTE_MS;
  await write(added('D'));
  expect((await kinds()).slice(4)).toEqual(['base', 'import']);
  clock += 10 * DAY_MS;
  await write(added('E'));
  clock += 26 * DAY_MS;
  expect(await kinds()).toEqual(['import']);
  await putPast(codeOf('past'));
  await write(added('F'));
  expect(await kinds()).toEqual(['import', 'base', 'import']);
  expect((await history())[1]?.changes).toContainEqual(added('past'));
  clock += 36 * DAY_MS;
  expect(await kinds()).toEqual([]);
  await write(added('G'));
  expect(await kinds()).toEqual(['base', 'import']);
});

test('an undo names the rows that somebody has changed since, and there is none of a base or an unknown change', async () => {
  const A = (name: string, weight: string) => codeOf('A', { Name: { S: name }, Weight: { N: weight } });
  const [before, after, now] = [A('a', '1'), A('b', '2'), A('x', '2')];
  await putPast(before);
  const { change } = await write({ kind: 'changed', identifier: 'A', before, after }, added('B'));
  await putPast(now);
  const { changes, notices } = planUndo(LIST, await stored(), (await find(change)).changes);
  expect(changes).toEqual(
    expect.arrayContaining([
      { kind: 'changed', identifier: 'A', before: now, after: A('x', '1') },
      expect.objectContaining({ kind: 'removed', identifier: 'B' }),
    ]),
  );
  expect(notices).toEqual(['Somebody has changed 1 row since then, and that stays: "A".']);
  const [base] = await history();
  await expect(find(base?.Id)).rejects.toThrow(/is no change: it is the list as it was found at/);
  await expect(find('2026')).rejects.toThrow(
    'There is no change "2026" of material codes. Nothing was written.',
  );
});

test('of two writers that end a change of a killed one at once, what the first one found is kept', async () => {
  const table = deployment.tables.MaterialCodes;
  await write(added('A'));
  await killedWrite(table, 3, added('B'), {
    kind: 'removed',
    identifier: 'A',
    before: codeOf('A'),
    after: {},
  });
  clock += 16 * MINUTE_MS;
  await deleteItem(table, { MaterialCode: { S: 'B' } });
  let other: Promise<unknown> | undefined;
  // One writer has read a list without B. Before it keeps what was left, another one finds B, and ends the change.
  engine.decide(async (_, __, { body }): Promise<Fault> => {
    if (other || !body.includes('"left ')) return 'through';
    other = putPast(codeOf('B')).then(() => write(added('C')));
    await other;
    return 'through';
  });
  await write(added('D'));
  expect((await history())[2]).toMatchObject({ Left: 1, left: new Set(['A']) });
});

test.each<[string, (rows: Item[]) => Item[]]>([
  ['both codes', (rows) => [...rows, codeOf('A-2')]],
  ['neither code', () => []],
])('a rename that is read with %s, while it is written, is no change past the tools', async (_, torn) => {
  await write(added('A'));
  const after = codeOf('A-2');
  await killedWrite(deployment.tables.MaterialCodes, 2, {
    ...{ kind: 'renamed', identifier: 'A', before: codeOf('A'), after },
  });
  let scans = 0;
  engine.decide(async (call, _number, { forward }): Promise<Fault> => {
    if (call !== 'Scan') return 'through';
    scans += 1;
    const { status, body } = await forward();
    const { Items, ...more } = JSON.parse(String(body));
    return { status, body: JSON.stringify({ ...more, Items: scans === 1 ? torn(Items) : Items }) };
  });
  await write(added('B'));
  expect((await history()).map(({ Kind }) => Kind)).toEqual(['base', 'import', 'import', 'import']);
});

test.each([
  ['its old code is in the list', () => putPast(codeOf('A-2'))],
  [
    'its new code has another row',
    async () => {
      await deleteItem(deployment.tables.MaterialCodes, { MaterialCode: { S: 'A' } });
      await putPast(codeOf('A-2', { Name: { S: 'other' } }));
    },
  ],
])('a rename of a killed writer has not been written if %s', async (_, changePast) => {
  await write(added('A'));
  await killedWrite(deployment.tables.MaterialCodes, 2, {
    ...{ kind: 'renamed', identifier: 'A', before: codeOf('A'), after: codeOf('A-2') },
  });
  await changePast();
  clock += 16 * MINUTE_MS;
  await write(added('B'));
  expect((await history())[2]).toMatchObject({ Left: 1, left: new Set(['A']) });
});

test.each([
  { minutes: 13, codes: ['new'] },
  { minutes: 14, codes: ['A', 'new'] },
])(
  'a write goes on until 14 minutes, because others may end it after 15: $minutes',
  async ({ minutes, codes }) => {
    await write(added('A'));
    engine.decide((_, __, { body }) => {
      if (body.includes('"new"')) clock += minutes * MINUTE_MS;
      return 'through';
    });
    const writing = write(added('new'), { kind: 'removed', identifier: 'A', before: codeOf('A'), after: {} });
    await (minutes === 13 ? writing : expect(writing).rejects.toThrow('1 of 2 changes are written'));
    expect([...(await stored()).keys()].toSorted()).toEqual(codes);
    const { EndedAt, left } = (await history()).at(-1) ?? {};
    expect(EndedAt).toBeDefined();
    expect([...(left ?? [])]).toEqual(codes.filter((name) => name === 'A'));
  },
);
