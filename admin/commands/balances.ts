import type { Command } from '@commander-js/extra-typings';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { clientOption, sinceOption } from '../cli/arguments.ts';
import { examples } from '../cli/examples.ts';
import type { Column } from '../cli/output.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { openSession, type Session, snapshotsOf, warehousesOf } from '../deployment/session.ts';
import { ageColumn } from '../snapshots/age-column.ts';
import { entryColumns } from '../snapshots/print.ts';
import { by } from '../store/order.ts';
import type { Statement } from '../store/snapshot-reader.ts';

export const addBalances = (program: Command) => {
  program
    .command('balances')
    .description('the newest statement about each material, of all that were ever sent, with its age')
    .addOption(clientOption())
    .addOption(sinceOption('of what was received then or later, which is faster'))
    .addHelpText('after', examples('balances', 'balances --client warehouse --since 30d --csv'))
    .action(async ({ client, since }, command) => {
      const session = await openSession(command);
      const clients = await warehousesOf(session, client);
      await session.printRows(columnsFor(session), await newestStatements(session, clients, since));
    });
};

const columnsFor = (session: Session): Column<Statement>[] => [
  ...entryColumns,
  { name: 'Client', value: ({ client }) => client },
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
  ...(session.format.kind === 'table'
    ? ageColumn(session, ({ receivedAt }: Statement) => receivedAt)
    : [{ name: 'SnapshotId', value: ({ snapshotId }: Statement) => snapshotId }]),
];

/** By material, then by client. A batch need not have every material, so all of them are looked through. */
const newestStatements = (session: Session, clients: readonly string[], since: Date | undefined) =>
  withProgress('Reading snapshots:', undefined, async (reach) => {
    const newest = new Map<string, Statement>();
    let count = 0;
    for (const name of clients) {
      const range = { since, newestFirst: true };
      for await (const snapshot of snapshotsOf(session).iterate(name, session.now, range, warn)) {
        takeFirst(newest, snapshot);
        count += 1;
        reach(count);
      }
    }
    return [...newest.values()].sort(by(({ client }) => client)).sort(by(({ MaterialCode }) => MaterialCode));
  });

const warn = ({ message }: Error) => say(message);

const takeFirst = (newest: Map<string, Statement>, { client, snapshotId, receivedAt, entries }: Snapshot) => {
  for (const entry of entries) {
    // No code has a line break in it.
    const key = `${client}\n${entry.MaterialCode}`;
    if (!newest.has(key)) newest.set(key, { ...entry, client, snapshotId, receivedAt });
  }
};
