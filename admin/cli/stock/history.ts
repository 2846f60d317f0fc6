import type { DatabaseSync } from 'node:sqlite';
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
          const none = Object.values(filter).some(Boolean) ? 'None of the chosen snapshots' : 'No snapshot';
          say(
            `${none} contains ${toVisible(code)}. Codes must match exactly. \`check\` finds codes that look alike.`,
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
          const ends = readEnds(db, { ...filter, since: undefined, material: code });
          await printPlots(filter.at ?? session.now, points, ends);
        }
        await session.printRows(shown, sentBalances);
      }),
    );
};

/** For each client and unit, when a batch had another balance in place of the last one, or left it out. Null if none did. */
const readEnds = (db: DatabaseSync, filter: Parameters<typeof openTable>[2]) => {
  const { columns, rows } = openTable(db, 'history', filter);
  const [client, unit, until] = columns('Client', 'StockBalanceUnit', 'Until').map(({ value }) => value);
  return new Map(
    [...rows('ReceivedAt')].map((row) => [`${client?.(row)} ${unit?.(row)}`, until?.(row)] as const),
  );
};

const PLOT_HEIGHT = 9;
const WIDEST_PLOT = 100;

type ClientPoint = { at: Date; client: string; value: number; unit: string };

/** Prints a plot for each client and unit, because balances in kg and in pieces share no scale. */
const printPlots = async (now: Date, points: readonly ClientPoint[], ends: ReturnType<typeof readEnds>) => {
  const size = { width: Math.min(process.stdout.columns || 80, WIDEST_PLOT), height: PLOT_HEIGHT };
  for (const [client, ofClient] of Map.groupBy(points, ({ client }) => client)) {
    for (const [unit, ofUnit] of Map.groupBy(ofClient, ({ unit }) => unit)) {
      const title = toVisible(describeLast(ofClient, unit, now, ends.get(`${client} ${unit}`)));
      await print(`${title}\n${plot(ofUnit, size).join('\n')}\n\n`);
    }
  }
};

/** Describes the last balance in a unit, and when the client sent it. */
const describeLast = (points: readonly ClientPoint[], unit: string, now: Date, end: unknown) => {
  const index = points.findLastIndex((point) => point.unit === unit);
  const last = points[index];
  if (!last) return '';
  const isOther = (point: ClientPoint) => point.value !== last.value || point.unit !== unit;
  const first = points[1 + points.slice(0, index).findLastIndex(isOther)] ?? last;
  const beginning = `${last.client}: ${last.value} ${unit}`;
  if (end instanceof Date)
    return `${beginning} from ${formatTime(first.at)} UTC until ${formatTime(end)} UTC`;
  // Older batches have expired, or --since leaves them out.
  const atLeast = first === points[0] ? 'at least ' : '';
  return `${beginning} since ${formatTime(first.at)} UTC, for ${atLeast}${formatAge(first.at, now)}`;
};
