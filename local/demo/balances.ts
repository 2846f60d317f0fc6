import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { materials, orders } from './lists.ts';

/** Random numbers from 0 to 1. The same seed gives the same numbers, so every demo has the same balances. */
export const randomFrom = (seed: number) => {
  let state = ((seed + 1) * 2_654_435_761) % 2 ** 32;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
};

export const round = (value: number, decimals: number) => Number(value.toFixed(decimals));

/** No warehouse has a balance of these materials. Each warehouse also lacks a few other materials. */
const UNSTOCKED = ['Болт-1/001', 'Болт-1/002', 'Kabel-8/015'];

export const simulateBatches = (warehouse: number, count: number): StockBalanceEntry[][] => {
  const series = materials.flatMap(({ row }, index) => {
    const isUnstocked = UNSTOCKED.includes(row.MaterialCode) || (index + 5 * warehouse) % 17 === 0;
    return isUnstocked ? [] : [simulateMaterial(index, warehouse, count)];
  });
  return Array.from({ length: count }, (_, index) => series.flatMap((entries) => entries[index] ?? []));
};

/** Withdrawals lower the stock until a delivery. A low balance names the order of the next delivery. */
const simulateMaterial = (index: number, warehouse: number, count: number): StockBalanceEntry[] => {
  const { row: { MaterialCode = '', Unit = '' } = {}, usualStock = 0 } = materials[index] ?? {};
  const random = randomFrom(1_000 * warehouse + index);
  const fullStock = usualStock * (0.4 + 0.6 * random());
  const largestWithdrawal = fullStock / (4 + 30 * random());
  let stock = fullStock * (0.25 + 0.75 * random());
  let deliveries = 0;
  return Array.from({ length: count }, () => {
    if (random() < 0.6) stock -= largestWithdrawal * random();
    if (stock < 0.2 * fullStock) {
      stock += 0.75 * fullStock;
      deliveries += 1;
    }
    const order = orders[(index * 7 + warehouse * 3 + deliveries * 11) % orders.length]?.PurchaseOrder ?? '';
    return {
      MaterialCode,
      StockBalance: round(stock, Unit === 'm' ? 1 : 3),
      StockBalanceUnit: Unit,
      PurchaseOrders: stock < 0.45 * fullStock ? [order] : [],
    };
  });
};
