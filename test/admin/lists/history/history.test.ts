import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeChanges } from '../../../../admin/lists/history/write-changes.ts';
import type { RowChange } from '../../../../admin/lists/plan/row-change.ts';
import { itemsOf } from '../../../support/tables.ts';
import { type Item, ODD, putItems } from '../../tables.ts';
import { type ListDeployment, listDeployment, readHistory } from './history-deployment.ts';

const LIST = 'MaterialCodes';
const code = (identifier: string, attributes: Item = {}): Item => ({
  MaterialCode: { S: identifier },
  ...attributes,
});

let deployment: ListDeployment;

beforeEach(async () => {
  deployment = await listDeployment();
});

const write = (...changes: RowChange[]) =>
  writeChanges(LIST, changes, {
    deployment,
    origin: { kind: 'import', source: 'codes.csv' },
    signal: new AbortController().signal,
    advice: '',
  });

const history = () => readHistory(deployment, LIST);

describe('a write', () => {
  test('keeps the list as it was found, then who changed what with which file, with every digit and type', async () => {
    const stored = [code('A', ODD), code('B', ODD), code('C', ODD)];
    await putItems(deployment.tables.MaterialCodes, stored);
    const [A = {}, B = {}, C = {}] = (await itemsOf(deployment.tables.MaterialCodes)).toSorted(
      (one, other) => (String(one['MaterialCode']?.S) < String(other['MaterialCode']?.S) ? -1 : 1),
    );
    const { Weight, ...light } = A;
    const changes: RowChange[] = [
      { kind: 'added', identifier: 'D', before: {}, after: code('D', { Name: { S: '' } }) },
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
      after: code('A', { New: { NS: ['1', '2'] } }),
    };
    expect(written?.changes).toEqual([changes[0], { ...changes[1], ...onlyChanged }, changes[2], changes[3]]);
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

  beforeEach(() => putItems(deployment.tables.MaterialCodes, [code('A', { Text: { S: '' } })]));

  test('after 50 changes, because each is a call more for the next write', async () => {
    for (let change = 1; change <= 51; change += 1) await rewrite(2);
    expect(await bases()).toBe(1);
    await rewrite(2);
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
