import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeReader } from '../../../admin/store/change-reader.ts';
import { changeStore } from '../../../shared/storage/change-store.ts';
import { createTable, testClient } from '../../support/tables.ts';

const client = testClient();
const { signal } = new AbortController();

const change = (name: string, day: number) => ({
  client: name,
  timestamp: `2026-03-0${day}T08:00:00,000Z`,
  receivedAt: `2026-03-0${day}T08:00:01.000Z`,
  requestId: `request ${day}`,
});

let table: string;
let reader: ReturnType<typeof changeReader>;
beforeAll(async () => {
  table = await createTable('ChangeTimestamps');
  reader = changeReader(client, table);
  for (const day of [1, 2, 3]) await changeStore(client, table).record(change('wms', day), signal);
  await changeStore(client, table).record(change('wms2', 9), signal);
});

describe('the changes of a client', () => {
  it('come oldest first, as they were reported', async () => {
    expect(await Array.fromAsync(reader.iterate('wms'))).toEqual([1, 2, 3].map((day) => change('wms', day)));
  });

  it('come newest first where that is asked for, however few at a time', async () => {
    const changes = await Array.fromAsync(reader.iterate('wms', { newestFirst: true, pageSize: 1 }));
    expect(changes).toEqual([3, 2, 1].map((day) => change('wms', day)));
  });

  it('begin with the very time that is given', async () => {
    const since = new Date('2026-03-02T08:00:00.000Z');
    expect(await Array.fromAsync(reader.iterate('wms', { since }))).toHaveLength(2);
    const later = new Date('2026-03-02T08:00:00.001Z');
    expect(await Array.fromAsync(reader.iterate('wms', { since: later }))).toHaveLength(1);
  });

  it('may lack what somebody has taken away or changed by hand', async () => {
    const Item = { Client: 'edited', Timestamp: '2026-03-01T08:00:00,000Z', ReceivedAt: 5 };
    await client.send(new PutCommand({ TableName: table, Item }));
    expect(await Array.fromAsync(reader.iterate('edited'))).toEqual([
      { client: 'edited', timestamp: '2026-03-01T08:00:00,000Z', receivedAt: '', requestId: '' },
    ]);
  });
});
