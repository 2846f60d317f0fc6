import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { type Entries, simulateBatches } from './balances.ts';
import { randomFrom, round } from './numbers.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS = 30;
const HOURS_BETWEEN_BATCHES = 12;
const BATCHES = (DAYS * 24) / HOURS_BETWEEN_BATCHES;

type Role = {
  /** The age of the latest batch. */
  hoursAgo: number;
  /** The days, counted back from the latest batch, on which nothing comes in. */
  closedDays?: readonly number[];
  /** What the warehouse system does to its batches, the oldest first. */
  distort?: (batches: readonly Entries[]) => readonly Entries[];
};

export type Warehouse = { client: string; changes: Date[]; batches: { at: Date; entries: Entries }[] };

/** Changes the latest batches alone. `previous` is the entry of the same material one batch before. */
const distortLatest =
  (count: number, distort: (entry: StockBalanceEntry, previous: StockBalanceEntry) => StockBalanceEntry) =>
  (batches: readonly Entries[]) =>
    batches.map((entries, index) => {
      const previous = batches[index - 1];
      if (previous === undefined || index < batches.length - count) return entries;
      return entries.map((entry, place) => distort(entry, previous[place] ?? entry));
    });

const CYRILLIC_K = '\u041A';

/** A code with a Cyrillic letter, which looks like a listed one. */
const sendLookAlike = distortLatest(BATCHES, (entry) =>
  entry.MaterialCode === 'Kabel-8/005'
    ? { ...entry, MaterialCode: `${CYRILLIC_K}${entry.MaterialCode.slice(1)}` }
    : entry,
);

const inTonnes = new Set([1, 2, 3, 4, 6, 7].map((place) => `Лист-3/00${place}`));

/** Since three days ago, some materials come in another unit. */
const sendTonnes = distortLatest((3 * 24) / HOURS_BETWEEN_BATCHES, (entry) =>
  inTonnes.has(entry.MaterialCode)
    ? { ...entry, StockBalance: round(entry.StockBalance / 1_000, 6), StockBalanceUnit: 't' }
    : entry,
);

/** The latest batch lost a decimal separator. A code of every batch lacks its hyphen, and one is in no list. */
const sendTypingErrors = (batches: readonly Entries[]) =>
  distortLatest(1, (entry, previous) =>
    entry.MaterialCode === 'Rohr-4/007'
      ? { ...entry, StockBalance: round(previous.StockBalance * 1_000, 0) }
      : entry,
  )(batches).map((entries) => [
    ...entries.map((entry) =>
      entry.MaterialCode === 'Kabel-8/002' ? { ...entry, MaterialCode: 'Kabel8/002' } : entry,
    ),
    { MaterialCode: 'Muster-9/001', StockBalance: 12, StockBalanceUnit: 'kg', PurchaseOrders: ['OT4599999'] },
  ]);

/** The latest batch was cut off, and a withdrawal was booked twice. */
const sendHalf = (batches: readonly Entries[]) =>
  distortLatest(1, (entry, previous) =>
    entry.MaterialCode === 'Гайка-2/004'
      ? { ...entry, StockBalance: round(-previous.StockBalance / 4, 3) }
      : entry,
  )(batches).map((entries, index) =>
    index === batches.length - 1 ? entries.slice(0, 0.4 * entries.length) : entries,
  );

/** By the place of the client in the settings. */
const roles: readonly Role[] = [
  { hoursAgo: 1 },
  { hoursAgo: 27, distort: sendLookAlike },
  { hoursAgo: 1.5, distort: (batches) => sendTypingErrors(sendTonnes(batches)) },
  { hoursAgo: 2.5, closedDays: [16, 17], distort: sendHalf },
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
  { hoursAgo, closedDays = [], distort = (batches) => batches }: Role,
  now: Date,
): Warehouse => {
  const random = randomFrom(1_000_000 + index);
  const end = now.getTime() - hoursAgo * HOUR_MS;
  const isOpen = (hoursBack: number) => !closedDays.includes(Math.floor(hoursBack / 24));
  const batches = distort(simulateBatches(index, BATCHES)).flatMap((entries, place) => {
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
