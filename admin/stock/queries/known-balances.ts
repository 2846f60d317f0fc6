import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import { type Filter, given, WAREHOUSES, wordsOf } from './filter.ts';

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

export const balanceConditions = (db: DatabaseSync, filter: Filter) => [
  ...given(filter.client, 'b.client = :client'),
  ...given(filter.material, 'b.material = :material'),
  ...given(filter.unit, 'b.unit = :unit'),
  ...given(filter.order, withTextOf('orders', 'order')),
  ...given(filter.finding, WITH_FINDING),
  ...given(filter.since, `${newestBatch()} >= :since`),
  ...wordsOf(filter.search).map((word, index) => withWord(db, word, `word${index}`)),
];

const findingsWith = (clientCondition: string, columns: string) => `
  SELECT ${columns} FROM finding JOIN json_each(finding.materials) AS material
  WHERE finding.client ${clientCondition} AND :finding IN ('any', finding.kind)`;
/** A finding of one warehouse concerns only the balances of that warehouse. */
const WITH_FINDING = `b.material IN (${findingsWith('IS NULL', 'material.value')})
  OR (b.client, b.material) IN (${findingsWith('IS NOT NULL', 'finding.client, material.value')})`;

/** The word is in the material, the client or the orders. Most words are in texts of one kind only. */
const withWord = (db: DatabaseSync, word: string, name: string) => {
  const kinds = rowsOf<{ kind: string }>(
    db.prepare(`SELECT DISTINCT kind FROM word WHERE kind <> 'unit' AND instr(folded, ?)`),
    word,
  );
  return kinds.map(({ kind }) => withTextOf(kind, name)).join(' OR ') || 'FALSE';
};

/** Few balances have orders, and the index of orders leaves out the others. */
const withTextOf = (kind: string, name: string) =>
  `(b.${kind} <> '' AND b.${kind} IN (SELECT text FROM word WHERE kind = '${kind}' AND instr(folded, :${name})))`;
