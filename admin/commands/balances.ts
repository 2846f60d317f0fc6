import type { Command } from '@commander-js/extra-typings';
import { atOption, clientOption, examples, sinceOption } from '../cli/arguments.ts';
import type { Column } from '../cli/output.ts';
import { readRange } from '../cli/period.ts';
import { plot } from '../cli/plot.ts';
import { print, say } from '../cli/terminal.ts';
import { visible } from '../cli/text-table.ts';
import { formatAge, formatTime } from '../cli/time.ts';
import { warehousesOf } from '../clients/read-names.ts';
import { openSession, type Session } from '../deployment/session.ts';
import { ageColumn, balanceColumns, formatBalance, historyColumns } from '../snapshots/columns.ts';
import { readNewestReports, readReports } from '../snapshots/read-reports.ts';
import type { BalanceReport } from '../store/snapshot-reader.ts';

export const addBalances = (program: Command) => {
  program
    .command('balances')
    .description('show the newest report of each material from each client, with its age')
    .addOption(clientOption())
    .addOption(sinceOption('only reports received since then, which is faster'))
    .addOption(atOption('the balances'))
    .addHelpText(
      'after',
      examples('balances', 'balances --at yesterday', 'balances --client warehouse --since 30d --csv'),
    )
    .action(async ({ client, ...times }, command) => {
      const session = await openSession(command);
      const range = readRange(times);
      const clients = await warehousesOf(session, client);
      const columns = balanceColumnsFor({ ...session, now: range.until ?? session.now });
      await session.printRows(columns, await readNewestReports(session, clients, range));
    });
};

/** People see the age, programs the snapshot. */
const balanceColumnsFor = (session: Session): Column<BalanceReport>[] =>
  session.format.kind === 'table'
    ? [
        ...balanceColumns.filter(({ name }) => name !== 'SnapshotId'),
        ...ageColumn(session, ({ receivedAt }: BalanceReport) => receivedAt),
      ]
    : balanceColumns;

export const addHistory = (program: Command) => {
  program
    .command('history')
    .description('show all reports of one material; a table comes with a plot')
    .argument('<code>', 'the material code, exactly as the client sends it')
    .addOption(clientOption())
    .addOption(sinceOption('only reports received since then'))
    .addOption(atOption('the history'))
    .addHelpText('after', examples('history Болт-1/006', 'history ABC-1 --since 30d --json'))
    .action(async (code, { client, ...times }, command) => {
      const session = await openSession(command);
      const range = readRange(times);
      const clients = await warehousesOf(session, client);
      const reports = await readReports(session, code, clients, range);
      if (reports.length === 0) {
        say(
          `No snapshot contains ${visible(code)}. Codes must match exactly; \`check\` finds codes that look alike.`,
        );
      }
      if (session.format.kind === 'table') await printPlots(range.until ?? session.now, reports);
      await session.printRows(historyColumns, reports);
    });
};

const PLOT_HEIGHT = 9;
const WIDEST_PLOT = 100;

/** One plot for each client and unit: balances in kg and in pieces share no scale. */
const printPlots = async (now: Date, reports: readonly BalanceReport[]) => {
  const size = { width: Math.min(process.stdout.columns || 80, WIDEST_PLOT), height: PLOT_HEIGHT };
  const groups = Map.groupBy(reports, ({ client, StockBalanceUnit }) => `${client}, ${StockBalanceUnit}`);
  for (const group of groups.values()) {
    const points = group.map(({ receivedAt, StockBalance }) => ({ at: receivedAt, value: StockBalance }));
    await print(`${visible(describeLast(group, now))}\n${plot(points, size).join('\n')}\n\n`);
  }
};

/** The balance, and since when it is the same. */
const describeLast = (reports: readonly BalanceReport[], now: Date) => {
  const last = reports.at(-1);
  if (!last) return '';
  const other = reports.findLastIndex(({ StockBalance }) => StockBalance !== last.StockBalance);
  const since = reports[other + 1]?.receivedAt ?? last.receivedAt;
  return `${last.client}: ${formatBalance(last)} since ${formatTime(since)} UTC, for ${formatAge(since, now)}`;
};
