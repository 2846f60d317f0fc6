import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { DAY_MS } from '../../shared/time.ts';

export type Size = { warehouses: number; balances: number; batches: number; everyMs?: number };

const UNITS = ['kg', 'm', 'pcs', 'l', 't'];

export const codeOf = (material: number) => `Kabel-${String(material).padStart(5, '0')}/A`;
export const nameOf = (warehouse: number) => `warehouse-${String(warehouse).padStart(3, '0')}`;
export const namesOf = ({ warehouses }: Pick<Size, 'warehouses'>) =>
  Array.from({ length: warehouses }, (_, warehouse) => nameOf(warehouse));

const ORDERS = [3_000, 5_000] as const;
/** An order of one of two series. */
const orderOf = (series: 0 | 1, number: number) =>
  `OT${(series + 1) * 1_000_000 + (number % ORDERS[series])}`;
export const allOrders = ([0, 1] as const).flatMap((series) =>
  Array.from({ length: ORDERS[series] }, (_, number) => orderOf(series, number)),
);

/** Random numbers that are the same in each run. */
const createRandom = () => {
  let seed = 1;
  return (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
};

/** One batch a day for each warehouse, unless `everyMs` says otherwise. Each batch changes a tenth of the batch before. */
export const createBatches = ({ warehouses, balances, batches, everyMs = DAY_MS }: Size) => {
  const random = createRandom();
  // Two more batches may follow until now.
  const firstAt = Date.now() - (batches + 1) * everyMs;
  const latestEntries = Array.from({ length: warehouses }, (_, warehouse) =>
    Array.from({ length: balances }, (__, material): StockBalanceEntry => {
      const orders = [orderOf(0, material), orderOf(1, material + warehouse)];
      return {
        MaterialCode: codeOf(material),
        StockBalance: random(1_000_000) / 1_000,
        StockBalanceUnit: UNITS[material % UNITS.length] ?? '',
        PurchaseOrders: material % 4 === 0 ? orders : [],
      };
    }),
  );
  const receivedAt = (warehouse: number, batch: number) => new Date(firstAt + batch * everyMs + warehouse);
  const snapshotIdOf = (warehouse: number, batch: number) =>
    `${receivedAt(warehouse, batch).toISOString()}-bench`;

  /** The batch with the latest entries, which the next batch changes. */
  const latest = (warehouse: number, batch: number): Snapshot => ({
    client: nameOf(warehouse),
    snapshotId: snapshotIdOf(warehouse, batch),
    receivedAt: receivedAt(warehouse, batch),
    requestId: 'bench',
    entries: latestEntries[warehouse] ?? [],
  });
  const next = (warehouse: number, batch: number): Snapshot => {
    for (const entry of latestEntries[warehouse] ?? [])
      if (batch > 0 && random(10) === 0) entry.StockBalance = random(1_000_000) / 1_000;
    return latest(warehouse, batch);
  };
  const all = function* () {
    for (let batch = 0; batch < batches; batch += 1)
      for (let warehouse = 0; warehouse < warehouses; warehouse += 1) yield next(warehouse, batch);
  };
  return { all, next, latest, snapshotIdOf };
};
