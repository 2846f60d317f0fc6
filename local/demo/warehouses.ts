import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import { randomFrom, round, simulateBatches } from './balances.ts';

const DAYS = 30;
const HOURS_BETWEEN_BATCHES = 12;
const BATCHES = (DAYS * 24) / HOURS_BETWEEN_BATCHES;

type Entries = readonly StockBalanceEntry[];

/** Adds a mistake to the entries of a batch. `previous` has the entries of the batch before, without this mistake. */
type Mistake = (entries: Entries, batchIndex: number, previous: Entries) => Entries;

type Scenario = {
  latestBatchAgeHours: number;
  /** The days without batches and changes, counted back from the latest batch. */
  closedDays?: readonly number[];
  mistakes?: readonly Mistake[];
};

type AlterEntry = (entry: StockBalanceEntry, previous: StockBalanceEntry) => Partial<StockBalanceEntry>;

const alterLatestBatches =
  (count: number, codes: readonly string[], alter: AlterEntry): Mistake =>
  (entries, batchIndex, previous) =>
    entries.map((entry, index) =>
      batchIndex >= BATCHES - count && codes.includes(entry.MaterialCode)
        ? { ...entry, ...alter(entry, previous[index] ?? entry) }
        : entry,
    );

const SHEETS = [1, 2, 3, 4, 6, 7].map((size) => `Лист-3/00${size}`);

const THREE_DAYS = (3 * 24) / HOURS_BETWEEN_BATCHES;
const sendTonnesForThreeDays = alterLatestBatches(THREE_DAYS, SHEETS, ({ StockBalance }) => {
  return { StockBalance: round(StockBalance / 1_000, 6), StockBalanceUnit: 't' };
});

const loseDecimalPoint = alterLatestBatches(1, ['Rohr-4/007'], (_, { StockBalance }) => ({
  StockBalance: round(StockBalance * 1_000, 0),
}));

const turnNegative = alterLatestBatches(1, ['Гайка-2/004'], (_, { StockBalance }) => ({
  StockBalance: round(-StockBalance / 4, 3),
}));

const renameCode = (from: string, to: string) =>
  alterLatestBatches(BATCHES, [from], () => ({ MaterialCode: to }));

const UNLISTED = {
  MaterialCode: 'Muster-9/001',
  StockBalance: 12,
  StockBalanceUnit: 'kg',
  PurchaseOrders: ['OT4599999'],
};

const addUnlisted: Mistake = (entries) => [...entries, UNLISTED];

const truncateLatest: Mistake = (entries, batchIndex) =>
  batchIndex === BATCHES - 1 ? entries.slice(0, 0.4 * entries.length) : entries;

const scenarios: Record<string, Scenario> = {
  warehouse: { latestBatchAgeHours: 1 },
  // The second code begins with a Cyrillic letter.
  north: { latestBatchAgeHours: 27, mistakes: [renameCode('Kabel-8/005', '\u041Aabel-8/005')] },
  south: {
    latestBatchAgeHours: 1.5,
    mistakes: [
      sendTonnesForThreeDays,
      loseDecimalPoint,
      renameCode('Kabel-8/002', 'Kabel8/002'),
      addUnlisted,
    ],
  },
  east: { latestBatchAgeHours: 2.5, closedDays: [16, 17], mistakes: [turnNegative, truncateLatest] },
};

export const demoClients = Object.keys(scenarios);

/** All data of the demo is later than this time. */
export const startOfDemo = (now: Date) => new Date(now.getTime() - (DAYS + 2) * 24 * HOUR_MS);

export const simulateWarehouses = (now: Date) =>
  Object.entries(scenarios).map(([client, scenario], index) => {
    return { client, ...simulateWarehouse(index, scenario, now) };
  });

const simulateWarehouse = (
  index: number,
  { latestBatchAgeHours, closedDays = [], mistakes = [] }: Scenario,
  now: Date,
) => {
  const random = randomFrom(1_000_000 + index);
  const end = now.getTime() - latestBatchAgeHours * HOUR_MS;
  const isOpen = (hoursBack: number) => !closedDays.includes(Math.floor(hoursBack / 24));
  const sentBatches = mistakes.reduce<readonly Entries[]>(
    (batches, mistake) =>
      batches.map((entries, batchIndex) => mistake(entries, batchIndex, batches[batchIndex - 1] ?? entries)),
    simulateBatches(index, BATCHES),
  );
  const batches = sentBatches.flatMap((entries, batchIndex) => {
    const hoursBack = (BATCHES - 1 - batchIndex) * HOURS_BETWEEN_BATCHES;
    const delay = hoursBack === 0 ? 0 : 40 * MINUTE_MS * random();
    return isOpen(hoursBack) ? [{ at: new Date(end - hoursBack * HOUR_MS + delay), entries }] : [];
  });
  // One change comes before each batch. A warehouse with a higher index sends more changes between batches.
  const hours = Array.from({ length: DAYS * 24 }, (_, hoursBack) => hoursBack + random());
  const extraChanges = hours.filter((hoursBack) => isOpen(hoursBack) && random() < 0.05 + 0.04 * index);
  const changes = [
    ...batches.map(({ at }) => new Date(at.getTime() - MINUTE_MS)),
    ...extraChanges.map((hoursBack) => new Date(end - hoursBack * HOUR_MS)),
  ];
  return { changes, batches };
};
