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
const ABSENT = ['Болт-1/001', 'Болт-1/002', 'Kabel-8/015'];

export const simulateBatches = (warehouse: number, count: number): StockBalanceEntry[][] => {
  const series = materials.flatMap(({ row }, index) => {
    const isAbsent = ABSENT.includes(row.MaterialCode) || (index + 5 * warehouse) % 17 === 0;
    return isAbsent ? [] : [simulateMaterial(index, warehouse, count)];
  });
  return Array.from({ length: count }, (_, index) => series.flatMap((entries) => entries[index] ?? []));
};

/** Withdrawals lower the amount until a delivery. A low balance names the order of the next delivery. */
const simulateMaterial = (index: number, warehouse: number, count: number): StockBalanceEntry[] => {
  const { row: { MaterialCode = '', Unit = '' } = {}, usualAmount = 0 } = materials[index] ?? {};
  const random = randomFrom(1_000 * warehouse + index);
  const fullAmount = usualAmount * (0.4 + 0.6 * random());
  const largestWithdrawal = fullAmount / (4 + 30 * random());
  let amount = fullAmount * (0.25 + 0.75 * random());
  let deliveries = 0;
  return Array.from({ length: count }, () => {
    if (random() < 0.6) amount -= largestWithdrawal * random();
    if (amount < 0.2 * fullAmount) {
      amount += 0.75 * fullAmount;
      deliveries += 1;
    }
    const order = orders[(index * 7 + warehouse * 3 + deliveries * 11) % orders.length]?.PurchaseOrder ?? '';
    return {
      MaterialCode,
      StockBalance: round(amount, Unit === 'm' ? 1 : 3),
      StockBalanceUnit: Unit,
      PurchaseOrders: amount < 0.45 * fullAmount ? [order] : [],
    };
  });
};
