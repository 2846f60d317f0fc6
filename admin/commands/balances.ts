import type { Command } from '@commander-js/extra-typings';
import type { Snapshot } from '../../shared/snapshot.ts';
import type { Statement } from '../../shared/store/snapshot-reader.ts';
import { parseClient, parseSince } from '../arguments.ts';
import { examples } from '../examples.ts';
import type { Column } from '../output.ts';
import { clientsOf, openSession, type Session, snapshotsOf } from '../session.ts';
import { entryColumns } from '../snapshots/print.ts';
import { say, showProgress } from '../terminal.ts';
import { ageInWords } from '../time.ts';

export const addBalances = (program: Command) => {
  program
    .command('balances')
    .description('the newest statement about each material, of all that were ever sent, with its age')
    .option('--client <name>', 'of one client', parseClient)
    .option('--since <time>', 'of what was received then or later, which is faster', parseSince)
    .addHelpText('after', examples('balances', 'balances --client warehouse --since 30d --csv'))
    .action(async ({ client, since }, command) => {
      const session = await openSession(command);
      await session.printRows(columnsFor(session), await newestStatements(session, { client, since }));
    });
};

const columnsFor = ({ format, now }: Session): Column<Statement>[] => {
  const columns: Column<Statement>[] = [
    ...entryColumns,
    { name: 'Client', value: ({ client }) => client },
    { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt.toISOString() },
  ];
  if (format.kind !== 'table')
    return [...columns, { name: 'SnapshotId', value: ({ snapshotId }) => snapshotId }];
  const age: Column<Statement> = {
    name: 'Age',
    value: ({ receivedAt }) => ageInWords(receivedAt, now),
    align: 'right',
  };
  return [...columns, age];
};

type Options = { client?: string | undefined; since?: Date | undefined };

/** By material, then by client. A batch need not have every material, so all of them are looked through. */
const newestStatements = async (session: Session, { client, since }: Options): Promise<Statement[]> => {
  const newest = new Map<string, Statement>();
  const progress = showProgress('Reading snapshots:');
  let count = 0;
  for (const name of clientsOf(session, client)) {
    const range = { since, newestFirst: true };
    for await (const snapshot of snapshotsOf(session).each(name, session.now, range, warn)) {
      takeFirst(newest, snapshot);
      count += 1;
      progress.reach(count);
    }
  }
  progress.end();
  return [...newest.values()].sort(byMaterial);
};

const warn = ({ message }: Error) => say(message);

const takeFirst = (newest: Map<string, Statement>, { client, snapshotId, receivedAt, entries }: Snapshot) => {
  for (const entry of entries) {
    // No code has a line break in it.
    const key = `${client}\n${entry.MaterialCode}`;
    if (!newest.has(key)) newest.set(key, { ...entry, client, snapshotId, receivedAt });
  }
};

const byMaterial = (a: Statement, b: Statement) => {
  if (a.MaterialCode !== b.MaterialCode) return a.MaterialCode < b.MaterialCode ? -1 : 1;
  return a.client < b.client ? -1 : 1;
};
