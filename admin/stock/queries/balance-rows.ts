import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import { fold } from '../look-alikes.ts';
import { CLIENTS, type Filter, given, momentAndClient, wordsOf } from './filter.ts';
import type { Condition } from './read-table.ts';

/** A column of the newest loaded batch of a client that meets a condition. */
const newest = (client: string, condition: string) => `(
  SELECT id FROM batch WHERE batch.client = ${client} AND state = 'loaded' AND ${condition} ORDER BY id DESC LIMIT 1
)`;

/** The newest loaded batch of each client until the moment. */
const SENDERS = `(SELECT name AS sender, ${newest('name', 'id <= :at')} AS latest FROM client WHERE name IN ${CLIENTS})`;

/** What SQLite looks up in an index. */
const equalities = ({ client, material }: Filter) =>
  [
    ...given(client, () => ({ sql: 'client = :client' })),
    ...given(material, () => ({ sql: 'material = :material' })),
  ].map(({ sql }) => `AND ${sql}`);

const lastKnownAtMoment = (filter: Filter) => `(
  SELECT *, NULL AS superseded FROM balance WHERE begun <= :at ${equalities(filter).join(' ')}
  UNION ALL SELECT * FROM past WHERE begun <= :at AND superseded > :at ${equalities(filter).join(' ')}
)`;

/** The last known balances `b` at the moment of the filter. `latest` is the newest batch of the client. CROSS JOIN keeps the order of materials. */
export const knownBalances = (filter: Filter) => `(
  SELECT b.*, c.latest FROM ${filter.at === undefined ? 'balance' : lastKnownAtMoment(filter)} AS b
  CROSS JOIN ${SENDERS} AS c ON c.sender = b.client
) AS b`;

/** The newest batch with this balance. A later batch may have left out the material. */
export const NEWEST_BATCH = `iif(ifnull(b.ended > :at, TRUE), b.latest, ${newest('b.client', 'id < b.ended')})`;

/** The last earlier value in the same unit that differs. */
export const VALUE_BEFORE = `(
  SELECT value FROM past WHERE past.client = b.client AND past.material = b.material AND past.begun < b.begun
  AND past.unit = b.unit AND past.value <> b.value ORDER BY past.begun DESC LIMIT 1
)`;

export const balanceConditions = (db: DatabaseSync, filter: Filter): Condition[] => [
  momentAndClient(filter),
  ...given(filter.client, () => ({ sql: 'b.client = :client' })),
  ...given(filter.material, (material) => ({ sql: 'b.material = :material', values: { material } })),
  ...given(filter.unit, (unit) => ({ sql: 'b.unit = :unit', values: { unit } })),
  ...given(filter.order, (order) => ({
    sql: `b.orders <> '' AND b.orders IN (SELECT text FROM word WHERE kind = 'orders' AND instr(folded, :order))`,
    values: { order: fold(order) },
  })),
  ...given(filter.finding, withFindingOfKind),
  ...given(filter.since, (since) => ({ sql: `${NEWEST_BATCH} >= :since`, values: { since } })),
  ...wordsOf(filter.search).map((word, index) => withWord(db, word, `word${index}`)),
];

/** A finding of one warehouse concerns only the balances of that warehouse. */
const withFindingOfKind = (kind: string): Condition => {
  const findingsWith = (clientCondition: string, columns: string) => `SELECT ${columns} FROM finding
    JOIN finding_material ON finding_material.finding = finding.id
    WHERE finding.client ${clientCondition} AND :kind IN ('any', finding.kind)`;
  return {
    sql: `b.material IN (${findingsWith('IS NULL', 'material')})
      OR (b.client, b.material) IN (${findingsWith('IS NOT NULL', 'finding.client, material')})`,
    values: { kind },
  };
};

/** The word is in the material, the client or the orders. Most words are in texts of one kind only. */
const withWord = (db: DatabaseSync, word: string, name: string): Condition => {
  const kinds = rowsOf<{ kind: string }>(
    db.prepare(`SELECT DISTINCT kind FROM word WHERE kind <> 'unit' AND instr(folded, ?)`),
    word,
  );
  const alternatives = kinds.map(
    ({ kind }) => `b.${kind} IN (SELECT text FROM word WHERE kind = '${kind}' AND instr(folded, :${name}))`,
  );
  return { sql: alternatives.join(' OR ') || 'FALSE', values: { [name]: word } };
};
