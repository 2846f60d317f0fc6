import { asStored, batchOf } from '../support/batches.ts';

export const SMALL_BATCH = 200;
export const LARGE_BATCH = 40_000;

const patterns = new Map(
  [SMALL_BATCH, LARGE_BATCH].map((count) => [count, batchOf(count).MaterialCodes] as const),
);

/**
 * The batch of a serial number: the same codes each time, as a warehouse sends them, and balances that no other batch
 * has. What was sent need not be remembered, since it can be made again.
 */
export const sentEntries = (count: number, serial: number) =>
  (patterns.get(count) ?? []).map((entry) => ({ ...entry, StockBalance: entry.StockBalance + serial }));

const storedPatterns = new Map(
  [...patterns].map(
    ([count, entries]) =>
      [count, new Map(entries.map((entry) => [entry.MaterialCode, asStored(entry)]))] as const,
  ),
);

/** What has to be kept of it for a material; nothing for one that was not in the batch. */
export const storedEntry = (count: number, serial: number, code: string) => {
  const entry = storedPatterns.get(count)?.get(code);
  if (!entry) return undefined;
  const { MaterialCode: _, ...balance } = entry;
  return { ...balance, StockBalance: balance.StockBalance + serial };
};
