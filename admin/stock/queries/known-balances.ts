import type { DatabaseSync } from 'node:sqlite';
import { numbersOf } from '../search.ts';
import { checkWords, type Filter, given, type SearchedWord, searchOf, WAREHOUSES } from './filter.ts';
import { queryRows } from './read-table.ts';

/**
 * The last known balances `b` of warehouses, or of the client of the filter, at the moment of the filter. `until` is the moment in SQL: a
 * view has no values.
 */
export const knownBalances = (filter: Filter, until = ':at') => {
  // With `+`, SQLite does not look up each warehouse, which would give up the order of an index.
  const condition = filter.client === undefined ? `+client IN ${WAREHOUSES}` : 'client = :client';
  if (filter.at === undefined) return `(SELECT * FROM main.balance WHERE ${condition}) AS b`;
  // The view `period` would check the clients of each row twice where rows are counted.
  return `(
    SELECT *, CAST('~' AS TEXT) AS superseded FROM main.balance WHERE begun <= ${until} AND ${condition}
    UNION ALL SELECT * FROM main.past WHERE begun <= ${until} AND superseded > ${until} AND ${condition}
  ) AS b`;
};

/** The newest batch with this balance. A later batch may have left out the material. */
export const newestBatch = (until = ':at') => `(
  SELECT id FROM main.batch WHERE batch.client = b.client AND state = 'loaded' AND id < min(b.ended, ${until})
  ORDER BY id DESC LIMIT 1
)`;

/** The last earlier value in the same unit that differs. */
export const VALUE_BEFORE = `(
  SELECT value FROM past WHERE past.client = b.client AND past.material = b.material AND past.begun < b.begun
  AND past.unit = b.unit AND past.value <> b.value ORDER BY past.begun DESC LIMIT 1
)`;

/** A search also finds a balance in one of the columns `values`. */
export const balanceConditions = (db: DatabaseSync, filter: Filter, values = ['b.value']) => [
  ...given(filter.client, 'b.client = :client'),
  ...given(filter.material, 'b.material = :material'),
  ...given(filter.unit, 'b.unit = :unit'),
  ...given(filter.order, withTextOf('orders', 'instr(folded, :order)')),
  ...given(filter.finding, WITH_FINDING),
  ...given(filter.since, `${newestBatch()} >= :since`),
  ...searchConditions(db, filter.search, values),
];

const findingsWith = (clientCondition: string, columns: string) => `
  SELECT ${columns} FROM finding JOIN json_each(finding.materials) AS material
  WHERE finding.client ${clientCondition} AND :finding IN ('any', finding.kind)`;
/** A finding of one warehouse concerns only the balances of that warehouse. */
const WITH_FINDING = `b.material IN (${findingsWith('IS NULL', 'material.value')})
  OR (b.client, b.material) IN (${findingsWith('IS NOT NULL', 'finding.client, material.value')})`;

/** The code of a material, which the texts of its row follow. */
const FOLDED_CODE = `substr(folded, 1, instr(folded || char(10), char(10)) - 1)`;
const WITH_CODE = `FROM word WHERE kind = 'material' AND ${FOLDED_CODE} IN (SELECT value FROM json_each(:codes))`;

/**
 * Finds what `finderOf` finds, by the index of words, because there may be a million balances. Of several alternatives, one that is a whole
 * code does not find longer codes.
 */
const searchConditions = (db: DatabaseSync, search: string | undefined, values: readonly string[]) => {
  const { alternatives, codes } = searchOf(search);
  if (alternatives.length === 0) return [];
  const found = queryRows<{ code: string }>(db, `SELECT DISTINCT ${FOLDED_CODE} AS code ${WITH_CODE}`, {
    codes: JSON.stringify(codes),
  });
  const whole = new Set(found.map(({ code }) => code));
  const others = alternatives.filter(
    ([first, ...more]) => !first || more.length > 0 || !whole.has(first.word),
  );
  checkWords(others.flat().length);
  const conditions = others.map((words) => {
    const each = words.map((word) => `(${withWord(db, word, values)})`);
    return `(${each.join(' AND ')})`;
  });
  const exact = whole.size > 0 ? [`b.material IN (SELECT text ${WITH_CODE})`] : [];
  return [[...exact, ...conditions].join(' OR ')];
};

/** The word is in the material, the client or the orders, or it is the balance. Most words are in texts of one kind only. */
const withWord = (db: DatabaseSync, { name, word }: SearchedWord, values: readonly string[]) => {
  const numbers = numbersOf(word);
  const isIn = `instr(folded, :${name})`;
  const isInText = numbers.length > 0 ? `(${isIn} OR instr(folded, replace(:${name}, ',', '.')))` : isIn;
  const sql = `SELECT DISTINCT kind FROM word WHERE kind <> 'unit' AND ${isInText}`;
  const kinds = queryRows<{ kind: string }>(db, sql, { [name]: word });
  const ofValue = numbers.length > 0 ? values.map((value) => `${value} IN (${numbers.join()})`) : [];
  return [...kinds.map(({ kind }) => withTextOf(kind, isInText)), ...ofValue].join(' OR ') || 'FALSE';
};

/** Few balances have orders, and the index of orders leaves out the others. */
const withTextOf = (kind: string, condition: string) =>
  `(b.${kind} <> '' AND b.${kind} IN (SELECT text FROM word WHERE kind = '${kind}' AND ${condition}))`;
