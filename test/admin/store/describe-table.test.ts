import { expect, it } from 'vitest';
import { describeTable } from '../../../admin/store/describe-table.ts';
import { createTable, startFaultyEngine, testClient } from '../../support/tables.ts';

it('A table is known by its key, the order and the types in it, and whether it can be read', async () => {
  const [snapshots, codes] = await Promise.all([
    createTable('BalanceSnapshots'),
    createTable('MaterialCodes'),
  ]);
  expect(await describeTable(testClient(), snapshots)).toEqual({
    id: expect.stringMatching(`:table/${snapshots}$`),
    keys: ['Client', 'SnapshotId'],
    keyText: 'Client (HASH, S), SnapshotId (RANGE, S)',
    status: 'ACTIVE',
  });
  expect(await describeTable(testClient(), codes)).toMatchObject({
    keys: ['MaterialCode'],
    keyText: 'MaterialCode (HASH, S)',
  });
});

it('A table that is not there has none, and one that may not be looked at is an error', async () => {
  for (const name of ['nowhere', 'no name', '']) {
    expect(await describeTable(testClient(), name)).toBeUndefined();
  }
  const engine = await startFaultyEngine();
  engine.decide(() => 'denied');
  await expect(describeTable(testClient(engine.endpoint), 'any')).rejects.toThrow('not authorized');
  await engine.stop();
});
