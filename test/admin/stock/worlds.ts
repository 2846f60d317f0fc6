import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';
import { changeWriter } from '../../../shared/storage/change-writer.ts';
import { newSnapshotId } from '../../../shared/storage/snapshot.ts';
import { snapshotWriter } from '../../../shared/storage/snapshot-writer.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/time.ts';
import { largeBatch, storedBatch, timestampOf } from '../../support/batches.ts';
import type { ModelBatch, World } from '../../support/stock-model.ts';
import { testClient } from '../../support/tables.ts';
import { emptyDeployment, putItems } from '../tables.ts';

export const CLIENTS = ['north', 'south', 'Ost.1'] as const;
/** Two codes look like `A-1`. The last two have another order by code point than by UTF-16. */
export const CODES = ['A-1', 'a-1', 'А-1', 'B/2', 'Сталь,3', 'ﾊ-6', '𐐀-5'] as const;
export const ORDERS = ['OT0000001', 'OT0000002', 'OT0000003'] as const;

/** `minute` counts from two hours ago. Several batches of a minute have one time of receipt. */
type MadeBatch = {
  client: (typeof CLIENTS)[number];
  minute: number;
  entries: StockBalanceEntry[];
  fate: 'kept' | 'damaged' | 'expired';
  comesLater: boolean;
};
/** The clock of the warehouse may be wrong. */
type MadeChange = { client: (typeof CLIENTS)[number]; minute: number; minutesWrong: number };
export type MadeWorld = {
  batches: MadeBatch[];
  codes: string[];
  orders: string[];
  silenceHours: number[];
  /** At one batch, and a millisecond before another one. */
  moments: [at: number, before: number];
  changes: MadeChange[];
  /** Chooses what is compared. */
  turn: number;
};

/** A failure prints its world without `__proto__`. */
const PLAIN = { noNullPrototype: true };

const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -9_999, max: 9_999 }).map((number) => number / 1_000) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 12.5, 125, -12.5) },
  { weight: 1, arbitrary: fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map((number) => number / 1_000) },
);
const entry: fc.Arbitrary<StockBalanceEntry> = fc.record(
  {
    MaterialCode: fc.constantFrom(...CODES),
    StockBalance: value,
    StockBalanceUnit: fc.constantFrom('kg', 'kg', 'kg', 't', 'шт'),
    PurchaseOrders: fc.array(fc.constantFrom(...ORDERS), { maxLength: 3 }),
  },
  PLAIN,
);
const batch: fc.Arbitrary<MadeBatch> = fc.record(
  {
    client: fc.constantFrom(...CLIENTS),
    minute: fc.integer({ min: 0, max: 20 }),
    entries: fc.uniqueArray(entry, { selector: ({ MaterialCode }) => MaterialCode, minLength: 1 }),
    fate: fc.constantFrom('kept', 'kept', 'kept', 'kept', 'kept', 'damaged', 'expired'),
    comesLater: fc.boolean(),
  },
  PLAIN,
);
const change: fc.Arbitrary<MadeChange> = fc.record(
  {
    client: fc.constantFrom(...CLIENTS),
    minute: fc.integer({ min: 0, max: 20 }),
    minutesWrong: fc.constantFrom(0, -90, 90),
  },
  PLAIN,
);
export const madeWorld: fc.Arbitrary<MadeWorld> = fc.record(
  {
    batches: fc.array(batch, { maxLength: 14 }),
    codes: fc.subarray([...CODES]),
    orders: fc.subarray([...ORDERS]),
    silenceHours: fc.array(fc.constantFrom(0, 1, 3), { minLength: 3, maxLength: 3 }),
    moments: fc.tuple(fc.nat(13), fc.nat(13)),
    changes: fc.uniqueArray(change, { maxLength: 6, selector: ({ minute }) => minute }),
    turn: fc.nat(1_000),
  },
  PLAIN,
);

/** The first part of a batch is written last, so the batch appears after a newer one. */
const IN_PARTS: MadeBatch = {
  ...{ client: 'south', minute: 10, fate: 'kept', comesLater: true },
  entries: storedBatch(largeBatch()),
};

/** Worlds in which a warehouse has also sent a batch of several parts. */
export const madeWorldWithParts = madeWorld.map((made) => ({
  ...made,
  batches: [...made.batches, IN_PARTS],
}));

/** A reader looks back two minutes for a batch that appears after a newer batch. The worlds stay one within that. */
const LOOKS_BACK_MINUTES = 1;

/** Writes a world into new tables. `readBetween` reads when the first part of the batches is there. */
export const writeWorld = async (made: MadeWorld, readBetween: (data: string) => Promise<void>) => {
  // `likeCell` compares tenths of a second.
  const now = Math.floor(Date.now() / 100) * 100;
  const start = now - 2 * HOUR_MS;
  const clients = CLIENTS.map((Client, index) => ({
    Client,
    SilenceHours: made.silenceHours[index] ?? 0,
    SilenceFrom: new Date(start - HOUR_MS).toISOString(),
  }));
  const { names, data } = await emptyDeployment({ clients });
  const dynamodb = testClient();
  const { keep } = snapshotWriter(dynamodb, names.BalanceSnapshots);
  const timeOf = (client: (typeof CLIENTS)[number], minute: number) =>
    // Warehouses never send in the same millisecond, because tables have no order for that.
    start + minute * MINUTE_MS + CLIENTS.indexOf(client) * 1_000;
  const toBatch = ({ client, minute, entries, fate }: MadeBatch, index: number): ModelBatch => {
    const at = timeOf(client, minute);
    const id = newSnapshotId(new Date(at), String(index).padStart(4, '0'));
    return { client, id, at, entries, isDamaged: fate === 'damaged' };
  };
  const pairs = made.batches.map((batch, index) => ({ made: batch, batch: toBatch(batch, index) }));

  const write = async ({ made: { fate }, batch: { client, id, at, entries } }: (typeof pairs)[number]) => {
    const receivedAt = new Date(at);
    const expiry = fate === 'expired' ? { expiresAt: new Date(now - HOUR_MS) } : {};
    const snapshot = { client, snapshotId: id, receivedAt, requestId: `request ${id}`, entries, ...expiry };
    await keep(snapshot, AbortSignal.timeout(30_000));
    const [first] = entries;
    if (fate !== 'damaged' || !first) return;
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: names.BalanceSnapshots,
        Key: { Client: { S: client }, SnapshotId: { S: id } },
        UpdateExpression: 'SET Balances.#code.StockBalance = :text',
        ExpressionAttributeNames: { '#code': first.MaterialCode },
        ExpressionAttributeValues: { ':text': { S: 'damaged by hand' } },
      }),
    );
  };
  await putItems(
    names.MaterialCodes,
    made.codes.map((code) => ({ MaterialCode: { S: code }, Name: { S: nameOf(code) } })),
  );
  await putItems(
    names.PurchaseOrders,
    made.orders.map((order) => ({ PurchaseOrder: { S: order } })),
  );
  const newestFirst = (client: string) =>
    Math.max(
      ...made.batches.flatMap((other) =>
        other.client === client && !other.comesLater ? [other.minute] : [],
      ),
    );
  const isLater = ({ made: { client, minute, comesLater } }: (typeof pairs)[number]) =>
    comesLater && minute >= newestFirst(client) - LOOKS_BACK_MINUTES;
  const changes = made.changes.map(({ client, minute, minutesWrong }) => {
    const ReceivedAt = timeOf(client, minute);
    return { Client: client, Timestamp: timestampOf(ReceivedAt + minutesWrong * MINUTE_MS), ReceivedAt };
  });
  const writer = changeWriter(dynamodb, names.ChangeTimestamps);
  for (const { Client, Timestamp, ReceivedAt } of changes) {
    const record = { client: Client, timestamp: Timestamp, receivedAt: new Date(ReceivedAt).toISOString() };
    await writer.keep({ ...record, requestId: 'request' }, AbortSignal.timeout(30_000));
  }
  for (const pair of pairs) if (!isLater(pair)) await write(pair);
  await readBetween(data);
  for (const pair of pairs.toReversed()) if (isLater(pair)) await write(pair);

  const world: World = {
    clients: clients.map(({ SilenceFrom, ...client }) => ({
      ...client,
      SilenceFrom: Date.parse(SilenceFrom),
    })),
    batches: pairs.flatMap(({ made: { fate }, batch }) => (fate === 'expired' ? [] : [batch])),
    codes: made.codes.map((code) => ({ MaterialCode: code, Name: nameOf(code) })),
    orders: made.orders.map((order) => ({ PurchaseOrder: order })),
    changes,
  };
  const atOf = (index: number) => pairs.at(index % (pairs.length || 1))?.batch.at ?? start;
  const [at, before] = [atOf(made.moments[0]), atOf(made.moments[1]) - 1];
  // The stock moves batches of one millisecond apart.
  const isShared = pairs.filter(({ batch }) => batch.at === at).length > 1;
  const moments = [isShared ? at + 50 : at, before];
  return { world, data, now, moments };
};

const nameOf = (code: string) => `Name of ${code.length}`;
