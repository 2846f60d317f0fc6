import type { Command } from '@commander-js/extra-typings';
import type { Needs } from '../../stock/loading/load-stock.ts';
import type { StockTableName } from '../../stock/tables/tables.ts';
import { ageColumn } from '../terminal/age-column.ts';
import { atOption, examples, lastOption, sinceOption } from '../terminal/arguments.ts';
import { isForPeople } from '../terminal/open-command.ts';
import { openTable, type Row, sayDamages } from './open-table.ts';
import { stockCommand, withStock } from './with-stock.ts';

type Listing = {
  table: StockTableName;
  needs: Needs;
  names: readonly string[];
  /** Names of columns that a table for people leaves out. */
  inFiles?: readonly string[];
  /** Whether a table for people has a column with the time since the receipt. */
  hasAge?: true;
  sort?: string;
};

export const addBalances = (program: Command) => {
  stockCommand(
    program.command('balances'),
    'show the newest balance of each material from each client, with its age',
    [sinceOption('only balances received since this time'), atOption('the balances')],
    ['balances', 'balances --at yesterday', 'balances --client warehouse --since 30d --csv'],
  ).action((_, command) =>
    printTable(command, {
      table: 'balances',
      needs: { batches: 'all' },
      names: ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders', 'Client', 'ReceivedAt'],
      inFiles: ['SnapshotId', 'Since', 'Difference'],
      hasAge: true,
    }),
  );
};

export const addChanges = (program: Command) => {
  const changes = program
    .command('changes')
    .description('show the change timestamps that clients have sent')
    .addHelpText('after', examples('changes list --last 10'));
  stockCommand(
    changes.command('list'),
    'list the changes, the newest first',
    [sinceOption('only changes received since this time'), atOption('the changes'), lastOption()],
    ['changes list --last 10', 'changes list --client warehouse --since 7d --json'],
  ).action((_, command) =>
    printTable(command, {
      table: 'changes',
      needs: { changes: true },
      names: ['Client', 'Timestamp', 'ReceivedAt', 'RequestId'],
      sort: '-ReceivedAt',
    }),
  );
};

export const addSnapshotList = (snapshots: Command) => {
  stockCommand(
    snapshots.command('list'),
    'list the snapshots, the newest first',
    [sinceOption('only snapshots received since this time'), atOption('the snapshots'), lastOption()],
    ['snapshots list --last 10', 'snapshots list --client warehouse --since 24h'],
  ).action((_, command) =>
    printTable(command, {
      table: 'batches',
      needs: { batches: 'headers' },
      names: ['Client', 'SnapshotId', 'ReceivedAt', 'EntryCount', 'Parts', 'RequestId'],
      hasAge: true,
      sort: '-ReceivedAt',
    }),
  );
};

const printTable = (
  command: Parameters<typeof withStock>[0],
  { table, needs, names, inFiles = [], hasAge, sort }: Listing,
) =>
  withStock(command, needs, async (stock) => {
    const { session, db, filter, last } = stock;
    if (needs.batches) sayDamages(stock);
    const { columns, rows } = openTable(db, table, filter);
    const chosen = columns(...names, ...(isForPeople(session) ? [] : inFiles));
    const received = chosen.find(({ name }) => name === 'ReceivedAt');
    const asOf = { ...session, now: filter.at ?? session.now };
    const age = hasAge ? ageColumn(asOf, (row: Row) => received?.value(row)) : [];
    await session.printRows([...chosen, ...age], rows(sort, last));
  });
