import { FOREVER } from './rows.ts';
import {
  BALANCE,
  type Balance,
  type BalanceWriter,
  type Batch,
  isSame,
  type Row,
  type Statements,
} from './write-balances.ts';

/** The first row of a material. `stored` is `begun` in the table, if the row is there. */
type FirstRow = Row & { stored?: string };

/**
 * Writes batches that are older than all others of a client, the newest first. `earliest` was the oldest. A row whose balance goes on in
 * several of the batches is written once: at its beginning, or after the last of the batches.
 */
export const prependBatches = (
  { run, all }: Statements,
  { insert }: BalanceWriter,
  { client, batches, earliest }: { client: string; batches: readonly Batch[]; earliest: string },
) => {
  const firstRows = new Map<string, FirstRow>();
  const findFirst = (material: string) =>
    firstRows.get(material) ??
    all<FirstRow>(
      `SELECT ${BALANCE}, begun, ended, superseded, begun AS stored FROM period WHERE client = ? AND material = ? ORDER BY begun LIMIT 1`,
      client,
      material,
    )[0];

  const write = ({ stored, ...row }: FirstRow) => {
    if (stored === row.begun) return;
    if (stored === undefined) return insert(row);
    const table = row.superseded === FOREVER ? 'balance' : 'past';
    run(
      `UPDATE ${table} SET begun = ? WHERE client = ? AND material = ? AND begun = ?`,
      row.begun,
      client,
      row.material,
      stored,
    );
  };

  /** The first row after a batch `id` is prepended. `next` was the oldest batch. */
  const prepend = (balance: Balance, id: string, next: string): FirstRow => {
    const first = findFirst(balance.material);
    if (first?.begun === next && isSame(first, balance)) return { ...first, begun: id };
    if (first) write(first);
    return { ...balance, begun: id, ended: next, superseded: first?.begun ?? FOREVER };
  };

  let next = earliest;
  for (const { id, balances } of batches) {
    for (const balance of balances) firstRows.set(balance.material, prepend(balance, id, next));
    next = id;
  }
  for (const row of firstRows.values()) write(row);
};
