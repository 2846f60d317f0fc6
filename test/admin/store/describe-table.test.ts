import { expect, it } from 'vitest';
import { describeTable } from '../../../admin/store/describe-table.ts';
import { createTable, startFaultyEngine, testClient } from '../../support/tables.ts';

it('a table is described by its ARN, its key with types, and its status', async () => {
  const snapshots = await createTable('BalanceSnapshots');
  expect(await describeTable(testClient(), snapshots)).toEqual({
    id: expect.stringMatching(`:table/${snapshots}$`),
    keys: ['Client', 'SnapshotId'],
    keyText: 'Client (HASH, S), SnapshotId (RANGE, S)',
    status: 'ACTIVE',
  });
});

it('a table that may not be described is an error', async () => {
  const engine = await startFaultyEngine();
  engine.decide(() => 'denied');
  await expect(describeTable(testClient(engine.endpoint), 'any')).rejects.toThrow('not authorized');
  await engine.stop();
});
