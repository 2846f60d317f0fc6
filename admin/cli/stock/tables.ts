import type { Needs } from '../../stock/loading/load-stock.ts';
import type { StockTableName } from '../../stock/tables/tables.ts';
import { defineCommand, defineGroup, type Group } from '../terminal/define-command.ts';
import { atOption, lastOption, sinceOption, timeOptions } from '../terminal/options.ts';
import { ageColumn, type Output, toTable } from '../terminal/output.ts';
import { describeDamages, openTable, type Row } from './open-table.ts';
import { stockOptions, withStock } from './with-stock.ts';

export const addBalances = (program: Group) =>
  defineCommand(program, {
    name: 'balances',
    description: 'show the newest balance of each material from each client, with its age',
    options: stockOptions(timeOptions('balances')),
    examples: ['balances', 'balances --at yesterday', 'balances --client warehouse --since 30d --csv'],
    run: (options, output) =>
      showTable(options, output, {
        table: 'balances',
        needs: { batches: 'all' },
        names: ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders', 'Client', 'ReceivedAt'],
        inFiles: ['SnapshotId', 'SinceAtLeast', 'Difference', 'BatchesSince'],
        hasAge: true,
      }),
  });

export const addChanges = (program: Group) => {
  const changes = defineGroup(program, {
    name: 'changes',
    description: 'show the change timestamps that clients have sent',
    examples: ['changes list --last 10'],
  });
  defineCommand(changes, {
    name: 'list',
    description: 'list the changes, the newest first',
    options: stockOptions({
      since: sinceOption('changes'),
      at: atOption('the changes'),
      last: lastOption,
    }),
    examples: ['changes list --last 10', 'changes list --client warehouse --since 7d --json'],
    run: (options, output) =>
      showTable(options, output, {
        table: 'changes',
        needs: { changes: true },
        names: ['Client', 'Timestamp', 'ReceivedAt', 'RequestId'],
      }),
  });
};

export const addSnapshotList = (snapshots: Group) =>
  defineCommand(snapshots, {
    name: 'list',
    description: 'list the snapshots, the newest first',
    options: stockOptions({ ...timeOptions('snapshots'), last: lastOption }),
    examples: ['snapshots list --last 10', 'snapshots list --client warehouse --since 24h'],
    run: (options, output) =>
      showTable(options, output, {
        table: 'batches',
        needs: { batches: 'all' },
        names: ['Client', 'SnapshotId', 'ReceivedAt', 'EntryCount', 'Parts', 'RequestId'],
        hasAge: true,
      }),
  });

type Listing = {
  table: StockTableName;
  needs: Needs;
  names: readonly string[];
  inFiles?: readonly string[];
  /** Whether a table for people has a column with the time since the receipt. */
  hasAge?: true;
};

const showTable = (
  options: Parameters<typeof withStock>[0] & { last?: number | undefined },
  output: Output,
  { table, needs, names, inFiles = [], hasAge }: Listing,
) =>
  withStock(options, needs, async function* (stock) {
    const { session, db, filter } = stock;
    if (needs.batches) yield* describeDamages(stock);
    const chosen = [...names, ...(output.isForPeople ? [] : inFiles)];
    const { columns, rows } = openTable(db, table, filter, chosen, { limit: options.last });
    const now = filter.at ?? session.now;
    const age = hasAge ? ageColumn(output, now, ({ ReceivedAt }: Row) => ReceivedAt) : [];
    yield toTable([...columns, ...age], rows);
  });
