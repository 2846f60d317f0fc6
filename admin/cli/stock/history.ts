import { toVisible } from '../../text/quote.ts';
import { formatAge, formatTime } from '../../text/time.ts';
import { formatNumber } from '../../text/words.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { requiredText, timeOptions } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { describeDamages, openTable } from './open-table.ts';
import { type LoadedStock, stockOptions, withStock } from './with-stock.ts';

export const addHistory = (program: Group) =>
  defineCommand(program, {
    name: 'history',
    description: 'show all balances of one material',
    options: {
      code: requiredText('<code>', 'the material code, exactly as the client sends it'),
      ...stockOptions(timeOptions('balances', 'the history')),
    },
    examples: ['history Болт-1/006', 'history ABC-1 --since 30d --json'],
    run: ({ code, ...options }, { isForPeople }) =>
      withStock(options, { batches: 'all' }, async function* (stock) {
        const { db, filter } = stock;
        yield* describeDamages(stock);
        const ofMaterial = { material: code, ...filter };
        const { columns, rows } = openTable(db, 'sentBalances', ofMaterial, COLUMNS, { sort: 'ReceivedAt' });
        const sentBalances = [...rows];
        if (sentBalances.length === 0) {
          const none = Object.values(filter).some(Boolean) ? 'None of the chosen snapshots' : 'No snapshot';
          yield `${none} contains ${toVisible(code)}. Codes must match exactly. \`check\` finds codes that look alike.`;
        }
        if (isForPeople) yield* describePeriods(stock, code);
        yield toTable(columns, sentBalances);
      }),
  });

const COLUMNS = 'ReceivedAt Client StockBalance StockBalanceUnit PurchaseOrders SnapshotId'.split(' ');
const PERIOD = 'Client StockBalance StockBalanceUnit ReceivedAt Until'.split(' ');

/** For each client and unit, since when or until when its last balance of the material stayed the same. */
function* describePeriods({ session, db, filter }: LoadedStock, material: string) {
  const ofMaterial = { ...filter, since: undefined, material };
  const periods = [...openTable(db, 'history', ofMaterial, PERIOD, { sort: 'ReceivedAt' }).rows];
  const now = filter.at ?? session.now;
  const byUnit = Map.groupBy(periods, ({ Client, StockBalanceUnit }) => `${Client} ${StockBalanceUnit}`);
  for (const ofUnit of byUnit.values()) {
    const last = ofUnit.at(-1);
    const { Client, StockBalance, StockBalanceUnit, ReceivedAt, Until } = last ?? {};
    const isFirst = periods.find((row) => row['Client'] === Client) === last;
    const period = describePeriod(ReceivedAt, Until, now, isFirst);
    yield toVisible(`${Client}: ${formatNumber(String(StockBalance))} ${StockBalanceUnit} ${period}`);
  }
}

/** Older batches than the first may have expired. */
const describePeriod = (from: unknown, until: unknown, now: Date, isFirst: boolean) => {
  if (!(from instanceof Date)) return '';
  if (until instanceof Date) return `from ${formatTime(from)} until ${formatTime(until)}`;
  return `since ${formatTime(from)}, for ${isFirst ? 'at least ' : ''}${formatAge(from, now)}`;
};
