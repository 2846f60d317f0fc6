import type { Command } from '@commander-js/extra-typings';
import type { ChangeRecord } from '../../shared/change.ts';
import { changeReader } from '../../shared/store/change-reader.ts';
import { parseClient, parseCount, parseSince } from '../arguments.ts';
import { examples } from '../examples.ts';
import { newestFirst } from '../newest-first.ts';
import type { Column } from '../output.ts';
import { clientsOf, openSession } from '../session.ts';

const columns: Column<ChangeRecord>[] = [
  { name: 'Client', value: ({ client }) => client },
  { name: 'Timestamp', value: ({ timestamp }) => timestamp },
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt },
  { name: 'RequestId', value: ({ requestId }) => requestId },
];

export const addChanges = (program: Command) => {
  const changes = program
    .command('changes')
    .description('the change timestamps that clients have reported')
    .addHelpText('after', examples('changes list --last 10'));

  changes
    .command('list')
    .description('list them, the newest first')
    .option('--client <name>', 'of one client', parseClient)
    .option('--since <time>', 'reported for this time or later', parseSince)
    .option('--last <count>', 'only so many', parseCount)
    .addHelpText(
      'after',
      examples('changes list --last 10', 'changes list --client warehouse --since 7d --json'),
    )
    .action(async ({ client, since, last }, command) => {
      const session = await openSession(command);
      const { dynamodb, tables } = session.deployment;
      const reader = changeReader(dynamodb, tables.ChangeTimestamps);
      const lists = clientsOf(session, client).map((name) =>
        reader.each(name, { since, newestFirst: true, pageSize: last }),
      );
      await session.printRows(
        columns,
        newestFirst(lists, ({ timestamp }) => timestamp, last),
      );
    });
};
