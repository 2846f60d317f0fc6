import {
  BALANCE,
  type Balance,
  type BalanceRows,
  type Batch,
  isSame,
  type Row,
  type Statements,
} from './balance-rows.ts';

/** The first row of a material. `superseded` is null in the table `balance`. `stored` is `begun` in the table, if the row is there. */
type FirstRow = Row & { superseded: string | null; home: 'balance' | 'past'; stored?: string };

const FIRST_ROW = `
  SELECT * FROM (
    SELECT ${BALANCE}, begun, ended, superseded, 'past' AS home, begun AS stored
    FROM past WHERE client = ?1 AND material = ?2 ORDER BY begun LIMIT 1
  ) UNION ALL SELECT ${BALANCE}, begun, ended, NULL, 'balance', begun FROM balance WHERE client = ?1 AND material = ?2`;

/**
 * Writes batches that are older than all others of a client, the newest first. `earliest` was the oldest. A row whose balance goes on in
 * several of the batches is written once: at its beginning, or after the last of the batches.
 */
export const prependBatches = (
  { run, all }: Statements,
  { insert }: BalanceRows,
  { client, batches, earliest }: { client: string; batches: readonly Batch[]; earliest: string },
) => {
  const firstRows = new Map<string, FirstRow>();
  const findFirst = (material: string) =>
    firstRows.get(material) ?? all<FirstRow>(FIRST_ROW, client, material)[0];

  const write = ({ stored, home, superseded, ...row }: FirstRow) => {
    if (stored === row.begun) return;
    if (stored === undefined) return insert(row, superseded);
    run(
      `UPDATE ${home} SET begun = ? WHERE client = ? AND material = ? AND begun = ?`,
      ...[row.begun, client, row.material, stored],
    );
  };

  /** The first row after a batch `id` is prepended. `next` was the oldest batch. */
  const prepend = (balance: Balance, id: string, next: string): FirstRow => {
    const first = findFirst(balance.material);
    if (first?.begun === next && isSame(first, balance)) return { ...first, begun: id };
    if (first) write(first);
    const superseded = first?.begun ?? null;
    return { ...balance, begun: id, ended: next, superseded, home: first ? 'past' : 'balance' };
  };

  let next = earliest;
  for (const { id, balances } of batches) {
    for (const balance of balances) firstRows.set(balance.material, prepend(balance, id, next));
    next = id;
  }
  for (const row of firstRows.values()) write(row);
};
