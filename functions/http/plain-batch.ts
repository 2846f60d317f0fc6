import { MAX_BATCH_ENTRIES, MAX_PURCHASE_ORDERS_PER_ENTRY } from '../../shared/schemas/limits.ts';
import { isRecord } from '../../shared/schemas/record.ts';
import {
  isEmptyObject,
  isNotTooLarge,
  isNotTooSmall,
  patterns,
  type StockBalanceBatch,
  type StockBalanceEntry,
} from '../../shared/schemas/stock-balance.ts';

/**
 * A valid batch, which nearly every one is, as the schema would give it, in a fraction of its time. Undefined where it
 * is anything else: that is left to the schema, which says what is wrong. That the two agree is tested.
 */
export const plainBatch = (body: unknown): StockBalanceBatch | undefined => {
  if (!isRecord(body) || !hasFields(body, 1)) return undefined;
  const sent = body['MaterialCodes'];
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MAX_BATCH_ENTRIES) return undefined;
  const entries: StockBalanceEntry[] = [];
  const codes = new Set<string>();
  for (const each of sent) {
    const entry = plainEntry(each);
    if (!entry) return undefined;
    entries.push(entry);
    codes.add(entry.MaterialCode);
  }
  return codes.size === entries.length ? { MaterialCodes: entries } : undefined;
};

const plainEntry = (entry: unknown): StockBalanceEntry | undefined => {
  if (!isRecord(entry) || !hasFields(entry, 4)) return undefined;
  const { MaterialCode, StockBalance, StockBalanceUnit, PurchaseOrders } = entry;
  const orders = plainOrders(PurchaseOrders);
  return isText(MaterialCode, patterns.MaterialCode) &&
    isBalance(StockBalance) &&
    isText(StockBalanceUnit, patterns.StockBalanceUnit) &&
    orders
    ? { MaterialCode, StockBalance, StockBalanceUnit, PurchaseOrders: orders }
    : undefined;
};

const plainOrders = (orders: unknown): string[] | undefined => {
  if (!Array.isArray(orders)) return isEmptyObject(orders) ? [] : undefined;
  if (orders.length === 0 || orders.length > MAX_PURCHASE_ORDERS_PER_ENTRY) return undefined;
  return orders.every(isOrder) ? orders : undefined;
};

const isOrder = (order: unknown) => isText(order, patterns.PurchaseOrder);
const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);
const isBalance = (value: unknown): value is number =>
  typeof value === 'number' && isNotTooLarge(value) && isNotTooSmall(value);

/** All of the known fields being there, so many are these and no other. */
const hasFields = (record: Record<string, unknown>, count: number) => {
  let fields = 0;
  for (const _ in record) fields += 1;
  return fields === count;
};
