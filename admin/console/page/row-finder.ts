import { compareBy } from '../../store/order.ts';
import { sumExactly } from './format.ts';
import { compare, fold, type Model, once, type Row, wordsOf } from './model.ts';
import { sortIndexes } from './sort-indexes.ts';

/** Each narrows the rows. An empty text does not. */
export type Filters = {
  /** Words in the code, the attributes, the client or the purchase orders. */
  words: string;
  client: string;
  unit: string;
  /** A part of a purchase order. */
  order: string;
  /** A kind of finding that the check has about the material, or `any`. */
  finding: string;
};

type Order = { by: string; isDescending: boolean };

/** Whether a text of a list fulfils a condition. A row fulfils it if one of its texts does. */
type Test = (text: string, index: number) => boolean;
type Condition = { material?: Test; client?: Test; orders?: Test; unit?: Test };

/** Each condition has a bit, so that a row is compared with all at once. Further words are ignored. */
const MAX_CONDITIONS = 31;

/** The rows of one material together. */
export type Total = {
  code: string;
  material: number;
  rows: number;
  sums: ReturnType<typeof sumByUnit>;
  /** When the newest row was received. */
  at: number;
};

/** Finds and sorts rows by their indexes. */
const createRowFinder = ({ data, rowCount, rowAt, latestOf, movementAt, rowIndexesOf }: Model) => {
  const { series, points, snapshots, materials, clients, units, orderLists } = data;

  const texts = once(() => ({
    material: materials.code.map((code, index) =>
      fold([code, ...materials.attributes.map(({ value }) => value[index] ?? '')].join(' ')),
    ),
    client: clients.map(fold),
    orders: orderLists.map(fold),
    unit: units,
  }));

  const conditionsOf = ({ words, client, unit, order, finding }: Filters): Condition[] => {
    const has = (part: string) => (text: string) => text.includes(part);
    const kept = data.findings.filter(({ kind }) => finding === 'any' || kind === finding);
    const subjects = new Set(kept.map(({ subject }) => subject));
    return [
      ...(client ? [{ client: (_: string, index: number) => clients[index] === client }] : []),
      ...(unit ? [{ unit: (text: string) => text === unit }] : []),
      ...(order ? [{ orders: has(fold(order)) }] : []),
      ...(finding
        ? [{ material: (_: string, index: number) => subjects.has(materials.code[index] ?? '') }]
        : []),
      ...wordsOf(words).map((word) => ({ material: has(word), client: has(word), orders: has(word) })),
    ].slice(0, MAX_CONDITIONS);
  };

  /** Has 1 for each row that fulfils all filters. It goes through the rows as they lie in memory, which is fast. */
  const match = (filters: Filters) => {
    const conditions = conditionsOf(filters);
    const bitsOf = (name: keyof Condition) => {
      const bits = new Int32Array(texts()[name].length);
      for (const [position, { [name]: test }] of conditions.entries())
        if (test) addBits(bits, texts()[name], test, 1 << position);
      return bits;
    };
    const [material, client] = [bitsOf('material'), bitsOf('client')];
    const [orders, unit] = [bitsOf('orders'), bitsOf('unit')];
    const all = 2 ** conditions.length - 1;
    const matches = new Uint8Array(rowCount);
    for (let row = 0; row < rowCount; row += 1) {
      const bits =
        (material[series.material[row] ?? 0] ?? 0) |
        (client[series.client[row] ?? 0] ?? 0) |
        (orders[series.orders[row] ?? 0] ?? 0) |
        (unit[unitOf(row)] ?? 0);
      if (bits === all) matches[row] = 1;
    }
    return matches;
  };

  const timeOf = (point: number | undefined) =>
    point === undefined ? 0 : (snapshots.at[points.snapshot[point] ?? 0] ?? 0);
  const balanceOf = (row: number) => points.balance[latestOf(row)] ?? 0;
  const unitOf = (row: number) => points.unit[latestOf(row)] ?? 0;

  const keys = new Map<string, () => (row: number) => number>([
    ['warehouse', () => rankBy(clients, (row) => series.client[row])],
    ['orders', () => rankBy(orderLists, (row) => series.orders[row])],
    ['unit', () => rankBy(units, unitOf)],
    ['balance', () => balanceOf],
    ['received', () => (row) => timeOf(latestOf(row))],
    ['changed', () => (row) => timeOf(movementAt(row))],
    [
      'change',
      () => (row) => {
        const point = movementAt(row);
        return point === undefined ? 0 : (points.balance[point] ?? 0) - (points.balance[point - 1] ?? 0);
      },
    ],
  ]);

  /** The key of a row by the name of an order. Without one, rows stay in the order of their codes. */
  const keyOf = (by: string) => {
    const attribute = materials.attributes[Number(/^attribute-(\d+)$/.exec(by)?.[1])];
    const values = attribute?.value.map((text) => text ?? '');
    return values ? rankBy(values, (row) => series.material[row]) : keys.get(by)?.();
  };

  const materialsByCode = once(() =>
    sortIndexes(
      Uint32Array.from(materials.code.keys()),
      rankBy(materials.code, (index) => index),
    ),
  );
  const rowsByCode = once(() => {
    const rows = new Uint32Array(rowCount);
    let length = 0;
    for (const material of materialsByCode()) {
      rows.set(rowIndexesOf(material), length);
      length += rowIndexesOf(material).length;
    }
    return rows;
  });
  const sortedBy = new Map<string, Uint32Array>();
  const sortedRows = (by: string) => {
    const known = sortedBy.get(by);
    if (known) return known;
    const key = keyOf(by);
    const sorted = key ? sortIndexes(rowsByCode(), key) : rowsByCode();
    sortedBy.set(by, sorted);
    return sorted;
  };

  const sumOfFirstUnit = (rows: Uint32Array) =>
    rows.reduce((sum, row) => (unitOf(row) === unitOf(rows[0] ?? 0) ? sum + balanceOf(row) : sum), 0);
  const lastTimeOf = (rows: Uint32Array) =>
    rows.reduce((last, row) => Math.max(last, timeOf(latestOf(row))), 0);
  const totalKeyOf = (by: string): ((rows: Uint32Array) => number) => {
    if (by === 'balance') return sumOfFirstUnit;
    if (by === 'received') return lastTimeOf;
    if (by === 'warehouse') return ({ length }) => length;
    const key = keyOf(by);
    return (rows) => key?.(rows[0] ?? 0) ?? 0;
  };

  const toTotal = (indexes: Uint32Array): Total => {
    const rows = Array.from(indexes, rowAt);
    const [first] = rows;
    const sums = sumByUnit(rows);
    return {
      code: first?.code ?? '',
      material: first?.material ?? 0,
      rows: rows.length,
      sums,
      at: lastTimeOf(indexes),
    };
  };

  /** Rows that sort alike are in the order of their codes and clients, or all in the opposite order. */
  const find = (filters: Filters, { by, isDescending }: Order) => {
    const found = keepMatches(sortedRows(by), match(filters));
    return isDescending ? found.reverse() : found;
  };

  /** The found rows of each material together. */
  const findGroups = (filters: Filters, { by, isDescending }: Order) => {
    const matches = match(filters);
    const groups = Array.from(materialsByCode(), (material) => keepMatches(rowIndexesOf(material), matches));
    const found = groups.filter(({ length }) => length > 0);
    const keys = found.map(totalKeyOf(by));
    const order = sortIndexes(Uint32Array.from(found.keys()), (index) => keys[index] ?? 0);
    const sorted = Array.from(order, (index) => found[index] ?? new Uint32Array());
    return isDescending ? sorted.reverse() : sorted;
  };

  return {
    find,
    findTotals: (filters: Filters, sort: Order) => {
      const groups = findGroups(filters, sort);
      return { length: groups.length, at: (index: number) => groups.slice(index, index + 1).map(toTotal)[0] };
    },
    /** The codes of the found rows, in their order. */
    findCodes: (filters: Filters, sort: Order, isTotals: boolean) => {
      const rows = isTotals ? findGroups(filters, sort).flatMap(([row]) => row ?? []) : find(filters, sort);
      const found = new Set<number>();
      for (const row of rows) found.add(series.material[row] ?? 0);
      return Array.from(found, (material) => materials.code[material] ?? '');
    },
  };
};

/** Balances in different units are not added. */
export const sumByUnit = (rows: readonly Row[]) =>
  Array.from(
    Map.groupBy(rows, ({ unit }) => unit),
    ([unit, group]) => ({
      unit,
      balance: sumExactly(group.map(({ balance }) => balance)),
    }),
  );

const addBits = (bits: Int32Array, texts: readonly string[], test: Test, bit: number) => {
  for (let index = 0; index < texts.length; index += 1)
    if (test(texts[index] ?? '', index)) bits[index] = (bits[index] ?? 0) | bit;
};

const keepMatches = (rows: Uint32Array, matches: Uint8Array) => {
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (const row of rows) {
    kept[count] = row;
    count += matches[row] ?? 0;
  }
  return kept.subarray(0, count);
};

/** The place of an item's text among all texts. Equal texts have the same place. */
const rankBy = (texts: readonly string[], indexOf: (item: number) => number | undefined) => {
  const ranks = new Uint32Array(texts.length);
  const rough = texts.map(toRoughKey);
  const order = Array.from(texts.keys())
    .sort(compareBy((index) => rough[index] ?? ''))
    .sort((one, other) => compare(texts[one] ?? '', texts[other] ?? ''));
  for (const [place, index] of order.entries()) {
    const before = order[place - 1];
    const isSame = before !== undefined && texts[before] === texts[index];
    ranks[index] = isSame ? (ranks[before] ?? 0) : place;
  }
  return (item: number) => ranks[indexOf(item) ?? 0] ?? 0;
};

const LONGEST_NUMBER = 12;

/** Nearly in the order of the collator, which is slow, and has little to do for texts that are nearly in order. */
const toRoughKey = (text: string) =>
  text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(LONGEST_NUMBER, '0'));

const finders = new WeakMap<Model, ReturnType<typeof createRowFinder>>();

/** The finder of a model, which all pages share. */
export const finderOf = (model: Model) => {
  const finder = finders.get(model) ?? createRowFinder(model);
  finders.set(model, finder);
  return finder;
};
