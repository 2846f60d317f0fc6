import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { type Material, materials, orders } from './lists.ts';
import { randomFrom, round } from './numbers.ts';

export type Entries = readonly StockBalanceEntry[];

/** No warehouse has these, and each warehouse also lacks a few others. */
const NOWHERE = new Set(['Болт-1/001', 'Болт-1/002', 'Kabel-8/015']);

/** The balances of one warehouse in each of its batches, the oldest first. */
export const simulateBatches = (warehouse: number, count: number): Entries[] => {
  const series = materials
    .map((material, index) => ({ material, index }))
    .filter(({ material, index }) => !NOWHERE.has(material.code) && (index + 5 * warehouse) % 17 !== 0)
    .map(({ material, index }) => simulateMaterial(material, index, warehouse, count));
  return Array.from({ length: count }, (_, batch) => series.flatMap((entries) => entries[batch] ?? []));
};

/** Withdrawals lower the stock in steps until a delivery comes. Little stock names the order that will bring more. */
const simulateMaterial = (
  { code, unit, stock: usualStock }: Material,
  index: number,
  warehouse: number,
  count: number,
): StockBalanceEntry[] => {
  const random = randomFrom(1_000 * warehouse + index);
  const full = usualStock * (0.4 + 0.6 * random());
  const largestWithdrawal = full / (4 + 30 * random());
  let stock = full * (0.25 + 0.75 * random());
  let deliveries = 0;
  return Array.from({ length: count }, () => {
    if (random() < 0.6) stock -= largestWithdrawal * random();
    if (stock < 0.2 * full) {
      stock += 0.75 * full;
      deliveries += 1;
    }
    const order = orders[(index * 7 + warehouse * 3 + deliveries * 11) % orders.length]?.order ?? '';
    return {
      MaterialCode: code,
      StockBalance: round(stock, unit === 'm' ? 1 : 3),
      StockBalanceUnit: unit,
      PurchaseOrders: stock < 0.45 * full ? [order] : [],
    };
  });
};
