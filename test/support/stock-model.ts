import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { HOUR_MS } from '../../shared/time.ts';

/** A second, plain implementation of what the stock says. It has no SQL, and no code of the stock. */
export type ModelBatch = {
  client: string;
  id: string;
  at: number;
  entries: readonly StockBalanceEntry[];
  isDamaged: boolean;
};
type ModelClient = { Client: string; SilenceHours: number; SilenceFrom: number };
export type World = {
  clients: readonly ModelClient[];
  /** Without the batches that have expired. */
  batches: readonly ModelBatch[];
  codes: readonly Readonly<Record<string, string>>[];
  orders: readonly Readonly<Record<string, string>>[];
  changes: readonly Row[];
};
export type Row = Readonly<Record<string, string | number | null>>;

/** The order of codes, as SQLite compares texts: by code point. */
export const compareCodes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Balances of the model have at most three decimals. */
const thousandths = (value: unknown) => Math.round(Number(value) * 1_000);
const subtract = (a: unknown, b: unknown) => (thousandths(a) - thousandths(b)) / 1_000;

const cellsOf = ({ PurchaseOrders, ...entry }: StockBalanceEntry) => ({
  ...entry,
  PurchaseOrders: PurchaseOrders.join(' '),
});
const findEntry = (batch: ModelBatch | undefined, code: string) =>
  batch?.entries.find(({ MaterialCode }) => MaterialCode === code);
const hasSame = (first: ModelBatch | undefined, second: ModelBatch | undefined, code: string) =>
  JSON.stringify(findEntry(first, code)) === JSON.stringify(findEntry(second, code));
const codesIn = (batches: readonly ModelBatch[]) => [
  ...new Set(batches.flatMap(({ entries }) => entries.map(({ MaterialCode }) => MaterialCode))),
];
const ordersIn = (batches: readonly ModelBatch[]) => [
  ...new Set(batches.flatMap(({ entries }) => entries.flatMap(({ PurchaseOrders }) => PurchaseOrders))),
];

/** The batches of a client until a moment, the oldest first. */
const batchesOf = ({ batches }: World, client: string, at: number) =>
  batches
    .filter((batch) => batch.client === client && batch.at <= at)
    .toSorted((a, b) => compareCodes(a.id, b.id));
const readableOf = (world: World, client: string, at: number) =>
  batchesOf(world, client, at).filter(({ isDamaged }) => !isDamaged);

/** Each period in which a material of a warehouse had one balance. */
export const history = (world: World, at: number): Row[] =>
  world.clients.flatMap(({ Client }) => {
    const batches = readableOf(world, Client, at);
    return codesIn(batches).flatMap((code) => periodsOf(batches, code).map((row) => ({ ...row, Client })));
  });

const periodsOf = (batches: readonly ModelBatch[], code: string): Row[] => {
  const firsts = batches.filter(
    (batch, index) => findEntry(batch, code) && !hasSame(batch, batches[index - 1], code),
  );
  return firsts.flatMap((batch, index) => {
    const [entry, previous] = [findEntry(batch, code), findEntry(firsts[index - 1], code)];
    if (!entry) return [];
    const end = batches.slice(batches.indexOf(batch)).find((later) => !hasSame(later, batch, code));
    const isSameUnit = previous?.StockBalanceUnit === entry.StockBalanceUnit;
    const Difference = isSameUnit ? subtract(entry.StockBalance, previous.StockBalance) : null;
    return {
      ...{ ...cellsOf(entry), ReceivedAt: batch.at, Until: end?.at ?? null, SnapshotId: batch.id },
      Difference,
    };
  });
};

/** The balance of each material in each batch. */
export const sentBalances = (world: World, at: number): Row[] =>
  world.clients.flatMap(({ Client }) =>
    readableOf(world, Client, at).flatMap((batch) =>
      batch.entries.map((entry) => ({
        ...{ ...cellsOf(entry), Client, ReceivedAt: batch.at, SnapshotId: batch.id },
      })),
    ),
  );

/** The last known balance of each material in each warehouse. */
export const balances = (world: World, at: number): Row[] => {
  const sent = sentBalances(world, at);
  const periods = Map.groupBy(history(world, at), (row) => `${row['Client']} ${row['MaterialCode']}`);
  return [...periods].flatMap(([key, ofCode]) => {
    const last = ofCode.at(-1);
    const newest = sent.findLast((row) => `${row['Client']} ${row['MaterialCode']}` === key);
    const before = ofCode.findLast(
      (row) =>
        row['StockBalanceUnit'] === last?.['StockBalanceUnit'] &&
        row['StockBalance'] !== last?.['StockBalance'],
    );
    const Difference = before ? subtract(last?.['StockBalance'], before['StockBalance']) : null;
    return newest ? { ...newest, SinceAtLeast: last?.['ReceivedAt'] ?? null, Difference } : [];
  });
};

/** Balances of each material and unit, added over the warehouses. */
export const totals = (rows: readonly Row[]): Row[] =>
  [...Map.groupBy(rows, (row) => `${row['MaterialCode']} ${row['StockBalanceUnit']}`).values()].map(
    (group) => ({
      MaterialCode: group[0]?.['MaterialCode'] ?? null,
      StockBalanceUnit: group[0]?.['StockBalanceUnit'] ?? null,
      StockBalance: group.reduce((sum, row) => sum + thousandths(row['StockBalance']), 0) / 1_000,
      Warehouses: group.length,
    }),
  );

export const batches = (world: World, at: number): Row[] =>
  world.clients.flatMap(({ Client }) =>
    batchesOf(world, Client, at).map((batch, index, all) => {
      const previous = all.slice(0, index).findLast(({ isDamaged }) => !isDamaged);
      const isCompared = previous && !batch.isDamaged;
      return {
        ...{ Client, SnapshotId: batch.id, ReceivedAt: batch.at, EntryCount: batch.entries.length },
        Difference: isCompared ? batch.entries.length - previous.entries.length : null,
        ...{ PreviousId: previous?.id ?? null, State: batch.isDamaged ? 'damaged' : 'loaded' },
      };
    }),
  );

/** The materials of which two batches have different balances. */
export const differences = (before: ModelBatch, after: ModelBatch): Row[] =>
  codesIn([before, after])
    .filter((code) => !hasSame(before, after, code))
    .map((code) => {
      const [first, second] = [findEntry(before, code), findEntry(after, code)];
      const isSameUnit = first?.StockBalanceUnit === second?.StockBalanceUnit;
      return {
        ...{ Kind: first ? (second ? 'changed' : 'gone') : 'added', MaterialCode: code },
        StockBalanceBefore: first?.StockBalance ?? null,
        StockBalanceAfter: second?.StockBalance ?? null,
        Difference: isSameUnit ? subtract(second?.StockBalance, first?.StockBalance) : null,
      };
    });

/** Each warehouse with its newest batch, and whether it is late. */
export const warehouses = (world: World, at: number): Row[] =>
  world.clients.map(({ Client, SilenceHours, SilenceFrom }) => {
    const newest = batchesOf(world, Client, at).at(-1);
    const LateFrom = SilenceHours && Math.max(newest?.at ?? 0, SilenceFrom) + SilenceHours * HOUR_MS;
    const State = LateFrom === 0 ? 'unwatched' : LateFrom <= at ? 'late' : 'on time';
    return { Client, State, LateFrom: LateFrom || null, LastBatchAt: newest?.at ?? null };
  });

/** How many batches and changes each warehouse sent until a moment, from each start until before the next one. */
export const arrivals = (world: World, at: number, starts: readonly number[]) => {
  const count = (rows: readonly Row[], client: string) =>
    starts.map((start, index) => {
      const isIn = (time: number) => time >= start && time < (starts[index + 1] ?? Infinity) && time <= at;
      return rows.filter((row) => row['Client'] === client && isIn(Number(row['ReceivedAt']))).length;
    });
  const sent = batches(world, at);
  return world.clients.map(({ Client }) => ({
    ...{ client: Client, batches: count(sent, Client), changes: count(world.changes, Client) },
  }));
};

/** The findings whose rule is one sentence: kind, warehouse and subject. */
export const findings = (world: World, at: number): string[] => {
  const pairs = world.clients.flatMap(({ Client }) => {
    const [last, previous] = batchesOf(world, Client, at).toReversed();
    return last ? { last, previous } : [];
  });
  const latest = pairs.map(({ last }) => last).filter(({ isDamaged }) => !isDamaged);
  const late = warehouses(world, at).filter((row) => row['State'] === 'late');
  const listed = new Set(world.codes.map((row) => row['MaterialCode'] ?? ''));
  const listedOrders = new Set(world.orders.map((row) => row['PurchaseOrder'] ?? ''));
  const missing = <T>(texts: Iterable<T>, from: Iterable<T>) => [...new Set(texts).difference(new Set(from))];
  const notesIfSent = (kind: string, subjects: string[]) =>
    latest.length === 0 ? [] : subjects.map((subject) => `${kind} null ${subject}`);
  return [
    ...late.map(
      ({ Client, LastBatchAt }) => `${LastBatchAt === null ? 'no-snapshot' : 'late'} ${Client} ${Client}`,
    ),
    ...pairs.flatMap(findingsOfPair),
    ...latest.flatMap((batch) => [
      ...missing(codesIn([batch]), listed).map((code) => `unlisted-code ${batch.client} ${code}`),
      ...missing(ordersIn([batch]), listedOrders).map((order) => `unlisted-order ${batch.client} ${order}`),
    ]),
    ...notesIfSent('no-balance', missing(listed, codesIn(latest))),
    ...notesIfSent('unused-order', missing(listedOrders, ordersIn(latest))),
  ];
};

type Pair = { last: ModelBatch; previous: ModelBatch | undefined };

/** A damaged batch is not compared with others. */
const findingsOfPair = ({ last, previous }: Pair) => {
  const damaged = last.isDamaged ? last : previous?.isDamaged ? previous : undefined;
  if (damaged) return [`damaged-snapshot ${last.client} ${damaged.id}`];
  if (!previous) return [];
  const isZero = (batch: ModelBatch) => batch.entries.every(({ StockBalance }) => StockBalance === 0);
  const isHalved = last.entries.length * 2 < previous.entries.length;
  const isAllZero = last.entries.length > 1 && isZero(last) && !isZero(previous);
  return [
    ...(isHalved ? [`halved-snapshot ${last.client} ${last.id}`] : []),
    ...(isAllZero ? [`zero-snapshot ${last.client} ${last.id}`] : []),
  ];
};
