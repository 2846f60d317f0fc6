import { describe, expect, it } from 'vitest';
import { MAX_PARTS } from '../../../shared/limits.ts';
import { type SnapshotItem, toSnapshotItems } from '../../../shared/storage/snapshot.ts';

const MOST_BYTES = 400_000;
/** Lambda's limit. */
const MOST_BYTES_OF_A_REQUEST = 6_291_456;

const snapshotOf = (entries: { MaterialCode: string; orders: string[]; unit: string }[]) =>
  toSnapshotItems({
    client: 'wms',
    snapshotId: '2026-11-21T06:48:04.123Z-unique',
    receivedAt: new Date('2026-11-21T06:48:04.123Z'),
    requestId: 'request',
    entries: entries.map(({ MaterialCode, orders, unit }) => ({
      MaterialCode,
      StockBalance: -1.2345678901234567e-100,
      StockBalanceUnit: unit,
      PurchaseOrders: orders,
    })),
  });

/** Counts an item as the developer guide does: "DynamoDB item sizes and formats". */
const bytesOf = ({ Balances }: SnapshotItem) =>
  Object.entries(Balances.M).reduce(
    (bytes, [code, { M: { StockBalanceUnit, PurchaseOrders } = {} }]) =>
      bytes +
      // An entry of a map: one byte, its name, and a map of three bytes with three entries.
      (1 + Buffer.byteLength(code) + 3) +
      // A number of 17 digits and a sign.
      (1 + 'StockBalance'.length + 11) +
      (1 + 'StockBalanceUnit'.length + Buffer.byteLength(StockBalanceUnit?.S ?? '')) +
      (1 + 'PurchaseOrders'.length + 3) +
      (PurchaseOrders?.L ?? []).reduce((sum, order) => sum + 1 + (order.S ?? '').length, 0),
    3,
  );

describe('the parts of a snapshot', () => {
  const numbered = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(length, 'ж'));

  it.each([
    ['short codes', numbered(12_000, 6), [], 'kg'],
    ['long codes', numbered(2_500, 200), [], 'kg'],
    ['long units', numbered(6_000, 6), [], '📦'.repeat(32)],
    ['many orders', numbered(1_200, 6), Array(100).fill('OT0000001'), 'kg'],
  ])('are as few as possible, and each fits one item: %s', (_, codes, orders, unit) => {
    const items = snapshotOf(codes.map((MaterialCode) => ({ MaterialCode, orders, unit })));
    expect(items.flatMap(({ Balances }) => Object.keys(Balances.M))).toEqual(codes);
    for (const [index, item] of items.entries()) {
      expect(item).toMatchObject({
        Client: { S: index === 0 ? 'wms' : `wms:${index + 1}` },
        Parts: { N: `${items.length}` },
        EntryCount: { N: `${codes.length}` },
      });
    }
    const sizes = items.map(bytesOf);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_BYTES);
    expect(items.length).toBeGreaterThan(1);
    // A part ends only if the next entry does not fit. An entry has at most about this many bytes.
    const ofOneEntry = (sizes.reduce((sum, size) => sum + size, 0) / codes.length) * 1.2;
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThan(MOST_BYTES * 0.985 - ofOneEntry);
  });

  it('fill an item to the last byte', () => {
    const parts = (count: number) => {
      const codes = Array.from({ length: count }, (_, index) => `${index}`.padStart(35, 'A'));
      return snapshotOf(codes.map((MaterialCode) => ({ MaterialCode, orders: [], unit: 'kg' })));
    };
    // An entry with such a code has 100 bytes.
    expect(parts(MOST_BYTES / 100)).toHaveLength(1);
    expect(parts(MOST_BYTES / 100 + 1)).toHaveLength(2);
  });

  it.each<[string, string, string[]]>([
    ['short codes', '', []],
    ['long codes', '𝒳'.repeat(250), []],
    ['many orders', '', Array(100).fill('OT0000001')],
  ])('are at most MAX_PARTS for the largest possible request: %s', (_, codeStart, orders) => {
    const sent = {
      MaterialCode: `${codeStart}0`,
      StockBalance: 0,
      StockBalanceUnit: 'k',
      PurchaseOrders: orders,
    };
    const count = Math.ceil(MOST_BYTES_OF_A_REQUEST / Buffer.byteLength(`${JSON.stringify(sent)},`));
    const codes = Array.from({ length: count }, (_, index) => `${codeStart}${index}`);
    const items = snapshotOf(codes.map((MaterialCode) => ({ MaterialCode, orders, unit: 'k' })));
    expect(items.length).toBeGreaterThan(10);
    expect(items.length).toBeLessThanOrEqual(MAX_PARTS);
  });
});
