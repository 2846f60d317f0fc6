import { asStored, batchOf } from '../support/batches.ts';

export const SMALL_BATCH = 200;
export const LARGE_BATCH = 40_000;

const entriesBySize = new Map([SMALL_BATCH, LARGE_BATCH].map((size) => [size, batchOf(size).MaterialCodes]));
const storedBySize = new Map(
  [...entriesBySize].map(([size, entries]) => [
    size,
    new Map(entries.map((entry) => [entry.MaterialCode, asStored(entry)])),
  ]),
);

/** The entries of a batch. The serial number changes only the balances. */
export const sentEntries = (size: number, serial: number) =>
  (entriesBySize.get(size) ?? []).map((entry) => ({ ...entry, StockBalance: entry.StockBalance + serial }));

/** The stored form of an entry, or undefined if the batch does not have the code. */
export const storedEntry = (size: number, serial: number, code: string) => {
  const entry = storedBySize.get(size)?.get(code);
  if (!entry) return undefined;
  const { MaterialCode: _, ...balance } = entry;
  return { ...balance, StockBalance: balance.StockBalance + serial };
};
