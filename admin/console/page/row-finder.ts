import { sumExactly } from './format.ts';
import { fold, type Model, type Row, wordsOf } from './model.ts';

/** A balance or, in the totals, all found balances of a material with the fields of the first. */
export type Group = Row & { rows: Row[] };

/** The query has `-balance` for a descending order. */
export const sortOf = (query: URLSearchParams) => {
  const sort = query.get('sort') ?? 'code';
  return { by: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };
};

/** Finds and sorts balances by the query of an address. Works on indexes and makes a row only when it is shown. */
export const createFinder = ({ data, rowCount, rowAt, startOf, latestOf, timeOf, balanceOf }: Model) => {
  const { series, points, materials } = data;
  const materialOf = (row: number) => series.material[row] ?? 0;
  const unitOf = (row: number) => points.unit[latestOf(row)] ?? 0;
  const columns = new Map([
    ['code', { texts: materials.code, indexes: series.material }],
    ['warehouse', { texts: data.clients, indexes: series.client }],
    ['unit', { texts: data.units, indexes: series.material.map((_, row) => unitOf(row)) }],
    ['orders', { texts: data.orderLists, indexes: series.orders }],
  ]);
  for (const [index, { value }] of materials.attributes.entries())
    columns.set(`attribute-${index}`, { texts: value.map((text) => text ?? ''), indexes: series.material });
  const searched = [...columns.keys()].filter((name) => name !== 'unit');
  const foldedOf = memo((name: string) => columns.get(name)?.texts.map(fold) ?? []);

  /** Returns 1 for each row that passes the test in one of the columns. Tests equal texts only once. */
  const where = (names: readonly string[], test: (folded: string, text: string) => boolean) => {
    const found = new Uint8Array(rowCount);
    const tested = [...columns].filter(([name]) => names.includes(name));
    for (const [name, { texts, indexes }] of tested) {
      const passes = foldedOf(name).map((text, index) => test(text, texts[index] ?? ''));
      for (let row = 0; row < rowCount; row += 1) if (passes[indexes[row] ?? 0]) found[row] = 1;
    }
    return found;
  };

  const conditionsOf = (query: URLSearchParams) => {
    const read = (name: string) => query.get(name) ?? '';
    const [order, finding] = [fold(read('order')), read('finding')];
    const kept = data.findings.filter(({ kind }) => finding === 'any' || kind === finding);
    const subjects = new Set(kept.map(({ subject }) => subject));
    const equal = ['warehouse', 'unit'].filter(read);
    return [
      ...equal.map((name) => where([name], (_, text) => text === read(name))),
      ...(order ? [where(['orders'], (text) => text.includes(order))] : []),
      ...(finding ? [where(['code'], (_, text) => subjects.has(text))] : []),
      ...wordsOf(read('q')).map((word) => where(searched, (text) => text.includes(word))),
    ];
  };

  /** The newest change. A change of unit does not count. */
  const movementOf = (row: number) => {
    const { balance, unit } = points;
    for (let point = latestOf(row); point > startOf(row) && unit[point] === unit[point - 1]; point -= 1)
      if (balance[point] !== balance[point - 1])
        return { at: timeOf(point), by: balanceOf(point) - balanceOf(point - 1) };
    return { at: 0, by: 0 };
  };
  const numbers = new Map<string, (row: number) => number>([
    ['balance', (row) => balanceOf(latestOf(row))],
    ['received', (row) => timeOf(latestOf(row))],
    ['changed', (row) => movementOf(row).at],
    ['change', (row) => movementOf(row).by],
  ]);

  /** The sort key of each row. Without such a column, rows keep the order of their codes. */
  const keysOf = memo((by: string) => {
    const { texts = [], indexes = [] } = columns.get(by) ?? {};
    const ranks = ranksOf(texts);
    const keyOf = numbers.get(by) ?? ((row) => ranks[indexes[row] ?? 0] ?? 0);
    return Float64Array.from(series.material, (_, row) => keyOf(row));
  });
  const sorted = memo((by: string): Uint32Array => {
    const keys = keysOf(by);
    const rows = by === 'code' ? Uint32Array.from(keys.keys()) : sorted('code');
    return rows.toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0));
  });

  /** Balances in another unit than the first are not added. */
  const totalKeyOf = (by: string, rows: readonly number[]) => {
    const keyOf = (row = 0) => keysOf(by)[row] ?? 0;
    if (by === 'warehouse') return rows.length;
    if (by === 'received') return Math.max(...rows.map((row) => keyOf(row)));
    if (by !== 'balance') return keyOf(rows[0]);
    const unit = unitOf(rows[0] ?? 0);
    return rows.reduce((total, row) => total + (unitOf(row) === unit ? keyOf(row) : 0), 0);
  };

  /** Rows with equal keys are in the order of codes and clients, or all in the opposite order. */
  return (query: URLSearchParams) => {
    const { by, isDescending } = sortOf(query);
    const conditions = conditionsOf(query);
    const isFound = (row: number) => conditions.every((found) => found[row] === 1);
    const toGroup = (indexes: Iterable<number>): Group | undefined => {
      const rows = Array.from(indexes, rowAt);
      return rows[0] && { ...rows[0], rows, at: Math.max(...rows.map(({ at }) => at)) };
    };
    if (query.get('show') !== 'totals') {
      const found = sorted(by).filter(isFound);
      if (isDescending) found.reverse();
      return { length: found.length, at: (index: number) => toGroup(found.subarray(index, index + 1)) };
    }
    const groups = Map.groupBy(sorted('code').filter(isFound), materialOf).values();
    const found = Array.from(groups, (rows) => ({ rows, key: totalKeyOf(by, rows) }));
    found.sort((one, other) => one.key - other.key);
    if (isDescending) found.reverse();
    return { length: found.length, at: (index: number) => toGroup(found[index]?.rows ?? []) };
  };
};

export const sumByUnit = (rows: readonly Row[]) =>
  Array.from(
    Map.groupBy(rows, ({ unit }) => unit),
    ([unit, group]) => ({ unit, balance: sumExactly(group.map(({ balance }) => balance)) }),
  );

const LONGEST_NUMBER = 12;

/** The rank of each text, where numbers in texts count as numbers. A collator needs three times as long. */
const ranksOf = (texts: readonly string[]) => {
  const keys = texts.map((text) => {
    const key = text.normalize('NFD').toLowerCase();
    return `${key.replace(/\d+/g, (digits) => digits.padStart(LONGEST_NUMBER, '0'))}\0${text}`;
  });
  const places = new Map(keys.toSorted().map((key, place) => [key, place]));
  return keys.map((key) => places.get(key) ?? 0);
};

const memo = <T>(make: (name: string) => T) => {
  const made = new Map<string, T>();
  return (name: string) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
};
