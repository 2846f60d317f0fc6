import type { DatabaseSync } from 'node:sqlite';
import { sortKeyOf } from '../database/dictionary.ts';
import { rowsOf } from '../database/rows.ts';
import { fold } from '../look-alikes.ts';
import { CLIENTS, type Filter, given, momentAndClient, wordsOf } from './filter.ts';
import { type Condition, type TableQuery, valuesOf, whereOf } from './table-query.ts';

/**
 * The balances `b` that are known at a moment, of the clients `c` that had sent a batch by then. MATERIALIZED makes SQLite look for
 * the clients once, also if another query runs this SQL for each of its rows.
 */
export const knownAt = ({ at }: Filter, hint = '') => `(
  WITH sender AS MATERIALIZED (
    SELECT client AS client_id, min(instant) AS earliest, max(instant) AS latest FROM batch
    WHERE instant <= :at AND state = 'loaded' AND client IN ${CLIENTS}
    GROUP BY client
  ) SELECT * FROM sender
) AS c CROSS JOIN balance AS b ${hint} ON b.client = c.client_id AND b.superseded > :at
${at === undefined ? '' : 'AND b.begun <= :at'}`;

/** As `knownAt`, for a condition on `b.material`. Without the hint, SQLite would read all balances. */
export const knownAtOfMaterial = (filter: Filter) => knownAt(filter, 'INDEXED BY balance_of_material');

/** The instant of the newest batch with this balance. A later batch may have left out the material. In `shown`, the columns of `c` belong to the row. */
export const newestInstantOf = (
  row: 'b' | 'shown',
) => `iif(${row}.ended > :at, ${row === 'b' ? 'c' : row}.latest, (
  SELECT max(instant) FROM batch
  WHERE batch.client = ${row}.client AND batch.instant < ${row}.ended AND batch.state = 'loaded'
))`;

export const balanceConditions = (filter: Filter, words: SearchWords): Condition[] => [
  momentAndClient(filter),
  ...given(filter.material, (code) => withName('material', code)),
  ...given(filter.unit, (unit) => withName('unit', unit)),
  ...given(filter.order, (order) => ({
    sql: `b.orders IN (SELECT id FROM orders WHERE instr(folded, :order))`,
    values: { order: fold(order) },
  })),
  ...given(filter.finding, withFindingOfKind),
  ...given(filter.since, (since) => ({ sql: `${newestInstantOf('b')} >= :since`, values: { since } })),
  ...withWords(words),
];

/** Compares ids, because each text has exactly one id. */
export const withName = (table: 'material' | 'unit', name: string): Condition => ({
  sql: `b.${table} = (SELECT id FROM ${table} WHERE sort_key = :${table})`,
  values: { [table]: sortKeyOf(name) },
});

/** A finding of one warehouse concerns only the balances of that warehouse. */
const withFindingOfKind = (kind: string): Condition => {
  const findingsWith = (clientCondition: string, columns: string) => `SELECT ${columns} FROM finding
    JOIN finding_material ON finding_material.finding = finding.id
    WHERE finding.client ${clientCondition} AND :kind IN ('any', finding.kind)`;
  return {
    sql: `+b.material IN (${findingsWith('IS NULL', 'material')})
      OR (b.client, b.material) IN (${findingsWith('IS NOT NULL', 'finding.client, material')})`,
    values: { kind },
  };
};

const SEARCHED_TABLES = ['material', 'client', 'orders'] as const;
type SearchedTable = (typeof SEARCHED_TABLES)[number];

/** Each word has to be in a text of the balance. SQLite tests the conditions in their order, so a word that many materials have is tested last. */
const withWords = ({ materialConditions, areMaterialWordsFrequent, others }: SearchWords): Condition[] => {
  const ofMaterials = materialConditions.map(({ sql, values }) => ({
    sql: idIn('material', idsWith('material', sql)),
    values,
  }));
  const ofOthers = others.map(({ index, word, matches }) => {
    const alternatives = matches.map(({ table, ids }) => idIn(table, ids ?? idsWith(table, hasWord(index))));
    const needsWord = matches.some(({ ids }) => ids === undefined);
    return { sql: alternatives.join(' OR ') || 'FALSE', values: needsWord ? { [`word${index}`]: word } : {} };
  });
  return areMaterialWordsFrequent ? [...ofOthers, ...ofMaterials] : [...ofMaterials, ...ofOthers];
};

type SearchWords = ReturnType<typeof findWords>;

/** Words that occur only in materials become one condition, because SQLite tests each condition for each balance. */
export const findWords = (db: DatabaseSync, search: string | undefined) => {
  const words = wordsOf(search)
    .filter((word) => !isInAllMaterials(db, word))
    .map((word, index) => ({ word, index, matches: findMatches(db, word) }));
  const { materials = [], others = [] } = Object.groupBy(words, ({ matches }) =>
    matches.map(({ table }) => table).join() === 'material' ? 'materials' : 'others',
  );
  const condition: Condition = {
    sql: materials.map(({ index }) => hasWord(index)).join(' AND '),
    values: Object.fromEntries(materials.map(({ index, word }) => [`word${index}`, word])),
  };
  const areMaterialWordsFrequent = materials.every(({ matches }) =>
    matches.every(({ ids }) => ids === undefined),
  );
  return { materialConditions: materials.length > 0 ? [condition] : [], areMaterialWordsFrequent, others };
};

/** A word that all materials have is in each balance, so it needs no condition. */
const isInAllMaterials = (db: DatabaseSync, word: string) =>
  rowsOf(db.prepare('SELECT 1 FROM material WHERE NOT instr(folded, ?) LIMIT 1'), word).length === 0;

/** If there are more ids, the condition has a query that finds them. */
const MAX_IDS = 1_000;

/** The tables in which a word occurs, and the ids of the rows with the word. Leaves out the ids if there are many. */
const findMatches = (db: DatabaseSync, word: string) =>
  SEARCHED_TABLES.map((table) => {
    const select = db.prepare(`SELECT id FROM ${table} WHERE instr(folded, ?) LIMIT ${MAX_IDS + 1}`);
    const ids = rowsOf<{ id: number }>(select, word).map(({ id }) => id);
    return { table, isFound: ids.length > 0, ids: ids.length > MAX_IDS ? undefined : ids.join() };
  }).filter(({ isFound }) => isFound);

const hasWord = (index: number) => `instr(folded, :word${index})`;
const idsWith = (table: SearchedTable, condition: string) => `SELECT id FROM ${table} WHERE ${condition}`;

/** The plus sign keeps SQLite from looking up the balances of each material, which is slower if there are many materials. */
const idIn = (table: SearchedTable, ids: string) =>
  `${table === 'orders' ? `${HAS_ORDERS} AND ` : ''}+b.${table} IN (${ids})`;

/** Most balances have no orders, and "no orders" has an id, too. To exclude this id first is faster than to look it up in a set of ids. */
const HAS_ORDERS = "b.orders IS NOT (SELECT id FROM orders WHERE sort_key = x'')";

/**
 * Returns the function `narrow` of a TableQuery. The function returns a query for the next `count` materials only, or undefined if a sort of
 * all balances is faster: above `maxLookups` lookups.
 */
export const narrowToNextMaterials = (
  db: DatabaseSync,
  filter: Filter,
  { materialConditions, others }: SearchWords,
  maxLookups: number,
  build: (ofMaterials: Condition) => TableQuery,
): NonNullable<TableQuery['narrow']> => {
  const warehouses = rowsOf(db.prepare('SELECT 1 FROM client WHERE is_warehouse')).length;
  const maxMaterials = maxLookups / (filter.client === undefined ? warehouses : 1);
  const isNarrowedByOrders = others.some(({ matches }) =>
    matches.every(({ table, ids }) => table === 'orders' && ids !== undefined),
  );
  return ({ count, firstKey, isDescending }) => {
    if (filter.material !== undefined || isNarrowedByOrders || count > maxMaterials) return undefined;
    const [comparison, direction] = isDescending ? ['<=', 'DESC'] : ['>=', 'ASC'];
    const conditions = [
      ...given(firstKey, (firstKey) => ({ sql: `id ${comparison} :firstKey`, values: { firstKey } })),
      ...materialConditions,
    ];
    const next = rowsOf<{ id: number }>(
      db.prepare(`SELECT id FROM material ${whereOf(conditions)} ORDER BY id ${direction} LIMIT ${count}`),
      valuesOf(conditions),
    );
    const materials = JSON.stringify(next.map(({ id }) => id));
    const sql = 'b.material IN (SELECT value FROM json_each(:materials))';
    return { query: build({ sql, values: { materials } }), isAll: next.length < count };
  };
};
