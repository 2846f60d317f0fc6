import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { type Entries, simulateBatches } from './balances.ts';
import { randomFrom, round } from './numbers.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS = 30;
const HOURS_BETWEEN_BATCHES = 12;
const BATCHES = (DAYS * 24) / HOURS_BETWEEN_BATCHES;

/** What a warehouse system does wrong to its batches, the oldest first. */
type Fault = (batches: readonly Entries[]) => readonly Entries[];

type Role = {
  /** The age of the latest batch. */
  hoursAgo: number;
  /** The days, counted back from the latest batch, on which nothing comes in. */
  closedDays?: readonly number[];
  faults?: readonly Fault[];
};

export type Warehouse = { client: string; changes: Date[]; batches: { at: Date; entries: Entries }[] };

type Change = (entry: StockBalanceEntry, previous: StockBalanceEntry) => Partial<StockBalanceEntry>;

/** Changes these materials in the latest batches. `previous` is the entry of the same material one batch before. */
const changeLatest =
  (count: number, codes: readonly string[], change: Change): Fault =>
  (batches) =>
    batches.map((entries, index) =>
      index < batches.length - count
        ? entries
        : entries.map((entry, place) =>
            codes.includes(entry.MaterialCode)
              ? { ...entry, ...change(entry, batches[index - 1]?.[place] ?? entry) }
              : entry,
          ),
    );

const SHEETS = [1, 2, 3, 4, 6, 7].map((place) => `Лист-3/00${place}`);

const sendTonnesForThreeDays = changeLatest((3 * 24) / HOURS_BETWEEN_BATCHES, SHEETS, ({ StockBalance }) => ({
  StockBalance: round(StockBalance / 1_000, 6),
  StockBalanceUnit: 't',
}));

const loseDecimalPoint = changeLatest(1, ['Rohr-4/007'], (_, { StockBalance }) => ({
  StockBalance: round(StockBalance * 1_000, 0),
}));

const turnNegative = changeLatest(1, ['Гайка-2/004'], (_, { StockBalance }) => ({
  StockBalance: round(-StockBalance / 4, 3),
}));

const renameCode = (from: string, to: string) => changeLatest(BATCHES, [from], () => ({ MaterialCode: to }));

const CYRILLIC_K = '\u041A';

const UNLISTED = {
  MaterialCode: 'Muster-9/001',
  StockBalance: 12,
  StockBalanceUnit: 'kg',
  PurchaseOrders: ['OT4599999'],
};

const addUnlisted: Fault = (batches) => batches.map((entries) => [...entries, UNLISTED]);

const cutOffLatest: Fault = (batches) =>
  batches.map((entries, index) =>
    index === batches.length - 1 ? entries.slice(0, 0.4 * entries.length) : entries,
  );

/** By the place of the client in the settings. */
const roles: readonly Role[] = [
  { hoursAgo: 1 },
  { hoursAgo: 27, faults: [renameCode('Kabel-8/005', `${CYRILLIC_K}abel-8/005`)] },
  {
    hoursAgo: 1.5,
    faults: [sendTonnesForThreeDays, loseDecimalPoint, renameCode('Kabel-8/002', 'Kabel8/002'), addUnlisted],
  },
  { hoursAgo: 2.5, closedDays: [16, 17], faults: [turnNegative, cutOffLatest] },
];

/** How many warehouses a whole demo has. */
export const WAREHOUSES = roles.length;

/** A month of reports for each client, as far as there are roles. */
export const simulateWarehouses = (clients: readonly string[], now: Date): Warehouse[] =>
  roles.flatMap((role, index) => {
    const client = clients[index];
    return client === undefined ? [] : [simulateWarehouse(client, index, role, now)];
  });

const simulateWarehouse = (
  client: string,
  index: number,
  { hoursAgo, closedDays = [], faults = [] }: Role,
  now: Date,
): Warehouse => {
  const random = randomFrom(1_000_000 + index);
  const end = now.getTime() - hoursAgo * HOUR_MS;
  const isOpen = (hoursBack: number) => !closedDays.includes(Math.floor(hoursBack / 24));
  const sent = faults.reduce<readonly Entries[]>(
    (batches, fault) => fault(batches),
    simulateBatches(index, BATCHES),
  );
  const batches = sent.flatMap((entries, place) => {
    const hoursBack = (BATCHES - 1 - place) * HOURS_BETWEEN_BATCHES;
    const delay = hoursBack === 0 ? 0 : 40 * MINUTE_MS * random();
    return isOpen(hoursBack) ? [{ at: new Date(end - hoursBack * HOUR_MS + delay), entries }] : [];
  });
  // A change comes before each batch, and the later warehouses report more of them between batches.
  const hours = Array.from({ length: DAYS * 24 }, (_, hoursBack) => hoursBack + random());
  const between = hours.filter((hoursBack) => isOpen(hoursBack) && random() < 0.05 + 0.04 * index);
  const changes = [
    ...batches.map(({ at }) => new Date(at.getTime() - MINUTE_MS)),
    ...between.map((hoursBack) => new Date(end - hoursBack * HOUR_MS)),
  ];
  return { client, changes, batches };
};
