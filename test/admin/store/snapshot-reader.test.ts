import { NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DamagedSnapshot, snapshotReader } from '../../../admin/store/snapshot-reader.ts';
import { newSnapshotId, partKey, type Snapshot } from '../../../shared/storage/snapshot.ts';
import { snapshotStore } from '../../../shared/storage/snapshot-store.ts';
import { createTable, testClient } from '../../support/tables.ts';

const client = testClient();
const { signal } = new AbortController();
const now = new Date('2026-03-10T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (ms: number) => new Date(now.getTime() - ms);

let table: string;
let reader: ReturnType<typeof snapshotReader>;
beforeAll(async () => {
  table = await createTable('BalanceSnapshots');
  reader = snapshotReader(testClient(), table, now);
});

const entry = (MaterialCode: string, StockBalance: number) => ({
  MaterialCode,
  StockBalance,
  StockBalanceUnit: 'kg',
  PurchaseOrders: [],
});

type Entries = Snapshot['entries'];

const keep = async (name: string, receivedAt: Date, entries: Entries, expiresAt?: Date) => {
  const snapshotId = newSnapshotId(receivedAt, 'a');
  const snapshot = { client: name, snapshotId, receivedAt, requestId: 'r', entries };
  await snapshotStore(client, table).keep(expiresAt ? { ...snapshot, expiresAt } : snapshot, signal);
  return snapshotId;
};

/** Puts an item past the store, as after an edit by hand. */
const put = (name: string, part: number, receivedAt: Date, more: Record<string, unknown> = {}) =>
  client.send(
    new PutCommand({
      TableName: table,
      Item: {
        Client: partKey(name, part),
        SnapshotId: newSnapshotId(receivedAt, 'a'),
        ReceivedAt: receivedAt.toISOString(),
        RequestId: 'r',
        EntryCount: 1,
        Parts: 3,
        Balances: {},
        ...more,
      },
    }),
  );

it('the snapshots of a client begin with the very instant of the range', async () => {
  const since = ago(2 * DAY_MS);
  for (const receivedAt of [ago(3 * DAY_MS), since, ago(DAY_MS)])
    await keep('wms', receivedAt, [entry('A', 1)]);
  expect(await Array.fromAsync(reader.listHeaders('wms', { since }))).toHaveLength(2);
  const later = new Date(since.getTime() + 1);
  expect(await Array.fromAsync(reader.iterate('wms', { since: later }))).toHaveLength(1);
});

it('a snapshot is skipped from the second of its expiry on', async () => {
  await keep('expiring', ago(DAY_MS), [entry('A', 1)], now);
  await keep('expiring', ago(HOUR_MS), [entry('A', 2)], new Date(now.getTime() + 1_000));
  const expiresAt = new Date(now.getTime() + 1_000);
  const [head, ...others] = await Array.fromAsync(reader.listHeaders('expiring'));
  expect(others).toEqual([]);
  expect(head).toMatchObject({ receivedAt: ago(HOUR_MS), expiresAt });
  expect(await Array.fromAsync(reader.iterate('expiring'))).toHaveLength(1);
  expect(await reader.readReports('expiring', 'A')).toEqual([expect.objectContaining({ StockBalance: 2 })]);
});

describe('a damaged snapshot', () => {
  const damagedItems = [
    { ReceivedAt: 'yesterday' },
    { Parts: 1, Balances: ['A'] },
    { Parts: 1, Balances: { A: { StockBalance: '1' } } },
    // Nobody could wait for so many parts.
    { Parts: 4_294_967_296 },
    // More digits than the service keeps; the SDK by itself would end the whole query.
    { EntryCount: NumberValue.from('12345678901234567890.5') },
  ];
  beforeAll(async () => {
    for (const [index, item] of damagedItems.entries())
      await put('damaged', 1, ago((9 - index) * DAY_MS), item);
    await keep('damaged', ago(DAY_MS), [entry('A', 1)]);
  });

  const collectDamage = () => {
    const damages: string[] = [];
    const onDamaged = ({ snapshotId, message }: DamagedSnapshot) => {
      expect(message).toContain(snapshotId);
      damages.push(message);
    };
    return { damages, onDamaged };
  };

  it('is reported, and the others are read', async () => {
    const { damages, onDamaged } = collectDamage();
    expect(await Array.fromAsync(reader.iterate('damaged', {}, onDamaged))).toHaveLength(1);
    expect(damages).toEqual([
      'Snapshot 2026-03-01T12:00:00.000Z-a of damaged is damaged: ReceivedAt: This is not a time.',
      'Snapshot 2026-03-02T12:00:00.000Z-a of damaged is damaged: Balances is not a map.',
      expect.stringMatching(
        /^A in Snapshot 2026-03-03T12:00:00.000Z-a of damaged is damaged: StockBalance: /,
      ),
      expect.stringMatching(/^Snapshot 2026-03-04T12:00:00.000Z-a of damaged is damaged: Parts: /),
      expect.stringMatching(/^Snapshot 2026-03-05T12:00:00.000Z-a of damaged is damaged: EntryCount: /),
    ]);
  });
});
