import type { Command } from '@commander-js/extra-typings';
import { toVisible } from '../../text/quote.ts';
import { formatAge, formatTime } from '../../text/time.ts';
import { atOption, sinceOption } from '../terminal/arguments.ts';
import { isForPeople } from '../terminal/open-command.ts';
import { plot } from '../terminal/plot.ts';
import { print, say } from '../terminal/terminal.ts';
import { openTable, sayDamages } from './open-table.ts';
import { stockCommand, withStock } from './with-stock.ts';

export const addHistory = (program: Command) => {
  stockCommand(
    program.command('history'),
    'show all balances of one material; a table for people comes with a plot',
    [sinceOption('only balances received since this time'), atOption('the history')],
    ['history Болт-1/006', 'history ABC-1 --since 30d --json'],
  )
    .argument('<code>', 'the material code, exactly as the client sends it')
    .action((code, _, command) =>
      withStock(command, { batches: 'all' }, async (stock) => {
        const { session, db, filter } = stock;
        sayDamages(stock);
        const { columns, rows } = openTable(db, 'sentBalances', { material: code, ...filter });
        const sentBalances = [...rows('ReceivedAt')];
        if (sentBalances.length === 0) {
          say(
            `No snapshot contains ${toVisible(code)}. Codes must match exactly. \`check\` finds codes that look alike.`,
          );
        }
        const shown = columns(
          ...['ReceivedAt', 'Client', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders', 'SnapshotId'],
        );
        if (isForPeople(session)) {
          const [at, client, balance, unit] = shown;
          const points = sentBalances.map((row) => ({
            at: new Date(Number(at?.value(row))),
            client: String(client?.value(row)),
            value: Number(balance?.value(row)),
            unit: String(unit?.value(row)),
          }));
          await printPlots(filter.at ?? session.now, points);
        }
        await session.printRows(shown, sentBalances);
      }),
    );
};

const PLOT_HEIGHT = 9;
const WIDEST_PLOT = 100;

type ClientPoint = { at: Date; client: string; value: number; unit: string };

/** Prints a plot for each client and unit, because balances in kg and in pieces share no scale. */
const printPlots = async (now: Date, points: readonly ClientPoint[]) => {
  const size = { width: Math.min(process.stdout.columns || 80, WIDEST_PLOT), height: PLOT_HEIGHT };
  for (const group of Map.groupBy(points, ({ client, unit }) => `${client}, ${unit}`).values()) {
    await print(`${toVisible(describeLast(group, now))}\n${plot(group, size).join('\n')}\n\n`);
  }
};

/** Describes the last balance, and since when the balance has this value. */
const describeLast = (points: readonly ClientPoint[], now: Date) => {
  const last = points.at(-1);
  if (!last) return '';
  const lastOther = points.findLastIndex(({ value }) => value !== last.value);
  const since = points[lastOther + 1]?.at ?? last.at;
  return `${last.client}: ${last.value} ${last.unit} since ${formatTime(since)} UTC, for ${formatAge(since, now)}`;
};
