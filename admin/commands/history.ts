import type { Command } from '@commander-js/extra-typings';
import type { Statement } from '../../shared/store/snapshot-reader.ts';
import { parseClient, parseSince } from '../arguments.ts';
import { examples } from '../examples.ts';
import type { Column } from '../output.ts';
import { plot } from '../plot.ts';
import { clientsOf, openSession, type Session, snapshotsOf } from '../session.ts';
import { visible } from '../table.ts';
import { say } from '../terminal.ts';

const columns: Column<Statement>[] = [
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
  { name: 'Client', value: ({ client }) => client },
  { name: 'StockBalance', value: ({ StockBalance }) => StockBalance, align: 'right' },
  { name: 'StockBalanceUnit', value: ({ StockBalanceUnit }) => StockBalanceUnit, title: 'Unit' },
  { name: 'PurchaseOrders', value: ({ PurchaseOrders }) => PurchaseOrders },
  { name: 'SnapshotId', value: ({ snapshotId }) => snapshotId },
];

export const addHistory = (program: Command) => {
  program
    .command('history')
    .description('what was said about one material, over time; for people, with a plot')
    .argument('<code>', 'the material code, exactly as it is sent')
    .option('--client <name>', 'by one client', parseClient)
    .option('--since <time>', 'then or later', parseSince)
    .addHelpText('after', examples('history Болт-1/006', 'history ABC-1 --since 30d --json'))
    .action(async (code, { client, since }, command) => {
      const session = await openSession(command);
      const statements = await statementsAbout(session, code, { client, since });
      if (statements.length === 0) {
        say(
          `No snapshot says anything about ${visible(code)}. Codes are compared exactly; \`check\` finds those that look alike.`,
        );
      }
      if (session.format.kind === 'table') await printPlots(session, statements);
      await session.printRows(columns, statements);
    });
};

type Options = { client?: string | undefined; since?: Date | undefined };

const statementsAbout = async (session: Session, code: string, { client, since }: Options) => {
  const reader = snapshotsOf(session);
  const byClient = await Promise.all(
    clientsOf(session, client).map((name) => reader.statements(name, code, session.now, since)),
  );
  return byClient.flat().sort((a, b) => (a.snapshotId < b.snapshotId ? -1 : 1));
};

const PLOT_HEIGHT = 9;
const WIDEST_PLOT = 100;

/** One for each client and unit: balances in kg and in pieces share no scale. */
const printPlots = async ({ print }: Session, statements: readonly Statement[]) => {
  const size = { width: Math.min(process.stdout.columns ?? 80, WIDEST_PLOT), height: PLOT_HEIGHT };
  const groups = Map.groupBy(statements, ({ client, StockBalanceUnit }) => `${client}, ${StockBalanceUnit}`);
  for (const [title, group] of groups) {
    const points = group.map(({ receivedAt, StockBalance }) => ({ at: receivedAt, value: StockBalance }));
    await print(`${visible(title)}\n${plot(points, size).join('\n')}\n\n`);
  }
};
