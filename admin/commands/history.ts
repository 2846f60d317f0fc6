import type { Command } from '@commander-js/extra-typings';
import { clientOption, sinceOption } from '../cli/arguments.ts';
import { examples } from '../cli/examples.ts';
import type { Column } from '../cli/output.ts';
import { plot } from '../cli/plot.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { visible } from '../cli/text-table.ts';
import { formatAge, formatTime } from '../cli/time.ts';
import { openSession, type Session, snapshotsOf, warehousesOf } from '../deployment/session.ts';
import { balanceInWords, entryColumns } from '../snapshots/print.ts';
import { by } from '../store/order.ts';
import type { Statement } from '../store/snapshot-reader.ts';

const columns: Column<Statement>[] = [
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
  { name: 'Client', value: ({ client }) => client },
  ...entryColumns.filter(({ name }) => name !== 'MaterialCode'),
  { name: 'SnapshotId', value: ({ snapshotId }) => snapshotId },
];

export const addHistory = (program: Command) => {
  program
    .command('history')
    .description('what was said about one material, over time; for people, with a plot')
    .argument('<code>', 'the material code, exactly as it is sent')
    .addOption(clientOption())
    .addOption(sinceOption('said then or later'))
    .addHelpText('after', examples('history Болт-1/006', 'history ABC-1 --since 30d --json'))
    .action(async (code, { client, since }, command) => {
      const session = await openSession(command);
      const clients = await warehousesOf(session, client);
      const statements = await statementsAbout(session, code, clients, since);
      if (statements.length === 0) {
        say(
          `No snapshot says anything about ${visible(code)}. Codes are compared exactly; \`check\` finds those that look alike.`,
        );
      }
      if (session.format.kind === 'table') await printPlots(session, statements);
      await session.printRows(columns, statements);
    });
};

const statementsAbout = (session: Session, code: string, clients: readonly string[], since?: Date) =>
  withProgress('Reading clients:', clients.length, async (reach) => {
    const reader = snapshotsOf(session);
    const statements: Statement[] = [];
    for (const [index, name] of clients.entries()) {
      statements.push(...(await reader.statements(name, code, session.now, since, warn)));
      reach(index + 1);
    }
    return statements.sort(by(({ snapshotId }) => snapshotId));
  });

const warn = ({ message }: Error) => say(message);

const PLOT_HEIGHT = 9;
const WIDEST_PLOT = 100;

/** One for each client and unit: balances in kg and in pieces share no scale. */
const printPlots = async ({ print, now }: Session, statements: readonly Statement[]) => {
  const size = { width: Math.min(process.stdout.columns || 80, WIDEST_PLOT), height: PLOT_HEIGHT };
  const groups = Map.groupBy(statements, ({ client, StockBalanceUnit }) => `${client}, ${StockBalanceUnit}`);
  for (const group of groups.values()) {
    const points = group.map(({ receivedAt, StockBalance }) => ({ at: receivedAt, value: StockBalance }));
    await print(`${visible(sinceWhen(group, now))}\n${plot(points, size).join('\n')}\n\n`);
  }
};

/** What the balance is, and since when nothing else was said. */
const sinceWhen = (statements: readonly Statement[], now: Date) => {
  const last = statements.at(-1);
  if (!last) return '';
  const other = statements.findLastIndex(({ StockBalance }) => StockBalance !== last.StockBalance);
  const since = statements[other + 1]?.receivedAt ?? last.receivedAt;
  return `${last.client}: ${balanceInWords(last)} since ${formatTime(since)} UTC, for ${formatAge(since, now)}`;
};
