import type { Command } from '@commander-js/extra-typings';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { clientOption, examples, sinceOption } from '../cli/arguments.ts';
import type { Column } from '../cli/output.ts';
import { withProgress } from '../cli/terminal.ts';
import { openSession, type Session, sayDamage, snapshotsOf, warehousesOf } from '../deployment/session.ts';
import { ageColumn, entryColumns } from '../snapshots/columns.ts';
import { compareBy } from '../store/order.ts';
import type { BalanceReport } from '../store/snapshot-reader.ts';

export const addBalances = (program: Command) => {
  program
    .command('balances')
    .description('the newest report of each material, of all that were ever sent, with its age')
    .addOption(clientOption())
    .addOption(sinceOption('of what was received then or later, which is faster'))
    .addHelpText('after', examples('balances', 'balances --client warehouse --since 30d --csv'))
    .action(async ({ client, since }, command) => {
      const session = await openSession(command);
      const clients = await warehousesOf(session, client);
      await session.printRows(columnsFor(session), await readNewestReports(session, clients, since));
    });
};

const columnsFor = (session: Session): Column<BalanceReport>[] => [
  ...entryColumns,
  { name: 'Client', value: ({ client }) => client },
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
  ...(session.format.kind === 'table'
    ? ageColumn(session, ({ receivedAt }: BalanceReport) => receivedAt)
    : [{ name: 'SnapshotId', value: ({ snapshotId }: BalanceReport) => snapshotId }]),
];

/** Sorted by material, then by client. Reads all snapshots, because one need not name every material. */
const readNewestReports = (session: Session, clients: readonly string[], since: Date | undefined) =>
  withProgress('Reading snapshots:', undefined, async (reach) => {
    const newest = new Map<string, BalanceReport>();
    let count = 0;
    for (const name of clients) {
      const range = { since, newestFirst: true };
      for await (const snapshot of snapshotsOf(session).iterate(name, session.now, range, sayDamage)) {
        keepFirst(newest, snapshot);
        count += 1;
        reach(count);
      }
    }
    return [...newest.values()]
      .sort(compareBy(({ client }) => client))
      .sort(compareBy(({ MaterialCode }) => MaterialCode));
  });

const keepFirst = (
  newest: Map<string, BalanceReport>,
  { client, snapshotId, receivedAt, entries }: Snapshot,
) => {
  for (const entry of entries) {
    // A code cannot contain a line break.
    const key = `${client}\n${entry.MaterialCode}`;
    if (!newest.has(key)) newest.set(key, { ...entry, client, snapshotId, receivedAt });
  }
};
