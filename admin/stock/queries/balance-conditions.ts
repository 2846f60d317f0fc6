import type { DatabaseSync } from 'node:sqlite';
import { sortKeyOf } from '../database/dictionary.ts';
import { rowsOf } from '../database/rows.ts';
import { fold } from '../look-alikes.ts';
import { CLIENTS, type Filter, given, momentAndClient, wordsOf } from './filter.ts';
import { type Condition, type TableQuery, valuesOf, whereOf } from './table-query.ts';

/** What is known at a moment, of the clients that had sent a batch. These are looked for once, also in a query for each row. */
export const knownAt = ({ at }: Filter, hint = '') => `(
  WITH begun AS MATERIALIZED (
    SELECT client AS warehouse, min(position) AS first, max(position) AS latest FROM batch
    WHERE position <= :at AND state = 'loaded' AND client IN ${CLIENTS}
    GROUP BY client
  ) SELECT * FROM begun
) AS c CROSS JOIN balance AS b ${hint} ON b.client = c.warehouse AND b.superseded > :at
${at === undefined ? '' : 'AND b.since <= :at'}`;

/** The same, for a condition on `b.material`. SQLite would read all balances. */
export const knownAtOfMaterial = (filter: Filter) => knownAt(filter, 'INDEXED BY balance_of_material');

/** The time of receipt of the newest batch with this balance. A later batch may have left it out. */
export const receivedAtOf = (
  row: 'b' | 'shown',
) => `iif(${row}.gone > :at, ${row === 'b' ? 'c' : row}.latest, (
  SELECT max(position) FROM batch
  WHERE batch.client = ${row}.client AND batch.position < ${row}.gone AND batch.state = 'loaded'
))`;

export const balanceConditions = (filter: Filter, words: Words): Condition[] => [
  momentAndClient(filter),
  ...given(filter.material, (code) => isNamed('material', code)),
  ...given(filter.unit, (unit) => isNamed('unit', unit)),
  ...given(filter.order, (order) => ({
    sql: `b.orders IN (SELECT id FROM orders WHERE instr(folded, :order))`,
    values: { order: fold(order) },
  })),
  ...given(filter.finding, withFinding),
  ...given(filter.since, (since) => ({ sql: `${receivedAtOf('b')} >= :since`, values: { since } })),
  ...withWords(words),
];

/** Compares ids, because each text has exactly one. */
export const isNamed = (table: 'material' | 'unit', name: string): Condition => ({
  sql: `b.${table} = (SELECT id FROM ${table} WHERE sort_key = :${table})`,
  values: { [table]: sortKeyOf(name) },
});

/** A finding of one warehouse is about its balances only. */
const withFinding = (finding: string): Condition => {
  const found = (columns: string, whose: string) => `SELECT ${columns} FROM finding
    JOIN finding_material ON finding_material.finding = finding.id
    WHERE finding.client ${whose} AND :finding IN ('any', finding.kind)`;
  return {
    sql: `+b.material IN (${found('material', 'IS NULL')})
      OR (b.client, b.material) IN (${found('finding.client, material', 'IS NOT NULL')})`,
    values: { finding },
  };
};

const SEARCHED = ['material', 'client', 'orders'] as const;
type Searched = (typeof SEARCHED)[number];

/** Each word has to be in a text of the balance. */
const withWords = ({ inMaterials, others }: Words): Condition[] => [
  ...inMaterials.map(({ sql, values }) => ({ sql: isAmong('material', idsWith('material', sql)), values })),
  ...others.map(({ index, word, places }) => {
    const all = places.map(({ table, ids }) => isAmong(table, ids ?? idsWith(table, hasWord(index))));
    const isUsed = places.some(({ ids }) => ids === undefined);
    return { sql: all.join(' OR ') || 'FALSE', values: isUsed ? { [`word${index}`]: word } : {} };
  }),
];

type Words = ReturnType<typeof findWords>;

/** Words that only materials have are one condition of materials, because each lookup costs time for each balance. */
export const findWords = (db: DatabaseSync, search: string | undefined) => {
  const words = wordsOf(search).map((word, index) => ({ word, index, places: findPlaces(db, word) }));
  const { materials = [], others = [] } = Object.groupBy(words, ({ places }) =>
    places.map(({ table }) => table).join() === 'material' ? 'materials' : 'others',
  );
  const condition: Condition = {
    sql: materials.map(({ index }) => hasWord(index)).join(' AND '),
    values: Object.fromEntries(materials.map(({ index, word }) => [`word${index}`, word])),
  };
  return { inMaterials: materials.length > 0 ? [condition] : [], others };
};

/** With more, SQLite looks for them again in each query. */
const MOST_LISTED = 1_000;

/** The tables that have a word, and the ids of its rows unless they are many. */
const findPlaces = (db: DatabaseSync, word: string) =>
  SEARCHED.map((table) => {
    const select = db.prepare(`SELECT id FROM ${table} WHERE instr(folded, ?) LIMIT ${MOST_LISTED + 1}`);
    const ids = rowsOf<{ id: number }>(select, word).map(({ id }) => id);
    return { table, isFound: ids.length > 0, ids: ids.length > MOST_LISTED ? undefined : ids.join() };
  }).filter(({ isFound }) => isFound);

const hasWord = (index: number) => `instr(folded, :word${index})`;
const idsWith = (table: Searched, condition: string) => `SELECT id FROM ${table} WHERE ${condition}`;

/** The plus sign keeps SQLite from a lookup of each balance by its material, which is slower for many materials. */
const isAmong = (table: Searched, ids: string) => `+b.${table} IN (${ids})`;

/**
 * The table with the next materials only: reading those through their index is faster than sorting all balances, unless they
 * need too many lookups.
 */
export const narrowerOf = (
  db: DatabaseSync,
  filter: Filter,
  { inMaterials, others }: Words,
  mostLookups: number,
  build: (isNext: Condition) => TableQuery,
): NonNullable<TableQuery['narrow']> => {
  const warehouses = rowsOf(db.prepare('SELECT 1 FROM client WHERE is_warehouse')).length;
  const most = mostLookups / (filter.client === undefined ? warehouses : 1);
  const isRare = others.some(({ places }) =>
    places.every(({ table, ids }) => table === 'orders' && ids !== undefined),
  );
  return ({ count, from, isDescending }) => {
    if (filter.material !== undefined || isRare || count > most) return undefined;
    const [sign, order] = isDescending ? ['<=', 'DESC'] : ['>=', 'ASC'];
    const conditions = [
      ...given(from, (from) => ({ sql: `id ${sign} :from`, values: { from } })),
      ...inMaterials,
    ];
    const next = rowsOf<{ id: number }>(
      db.prepare(`SELECT id FROM material ${whereOf(conditions)} ORDER BY id ${order} LIMIT ${count}`),
      valuesOf(conditions),
    );
    const materials = JSON.stringify(next.map(({ id }) => id));
    const sql = 'b.material IN (SELECT value FROM json_each(:materials))';
    return { query: build({ sql, values: { materials } }), isAll: next.length < count };
  };
};
