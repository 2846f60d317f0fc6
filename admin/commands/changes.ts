import type { Command } from '@commander-js/extra-typings';
import type { ChangeRecord } from '../../shared/storage/change-store.ts';
import { clientOption, examples, lastOption, sinceOption } from '../cli/arguments.ts';
import { type Column, columnsOf } from '../cli/output.ts';
import { readRange } from '../cli/period.ts';
import { clientsOf } from '../clients/read-names.ts';
import { changesOf, openSession } from '../deployment/session.ts';
import { mergeNewestFirst } from '../store/order.ts';

const columns: Column<ChangeRecord>[] = [
  ...columnsOf<ChangeRecord>({ Client: 'client', Timestamp: 'timestamp' }),
  { name: 'ReceivedAt', value: ({ receivedAt }) => receivedAt && new Date(receivedAt) },
  ...columnsOf<ChangeRecord>({ RequestId: 'requestId' }),
];

export const addChanges = (program: Command) => {
  const changes = program
    .command('changes')
    .description('show the change timestamps that clients have reported')
    .addHelpText('after', examples('changes list --last 10'));

  changes
    .command('list')
    .description('list the changes, the newest first')
    .addOption(clientOption())
    .addOption(sinceOption('only changes with a timestamp since then'))
    .addOption(lastOption())
    .addHelpText(
      'after',
      examples('changes list --last 10', 'changes list --client warehouse --since 7d --json'),
    )
    .action(async ({ client, since, last }, command) => {
      const session = await openSession(command);
      const range = { ...readRange({ since }), newestFirst: true, pageSize: last };
      const clients = await clientsOf(session, client);
      const lists = clients.map((name) => changesOf(session).iterate(name, range));
      await session.printRows(
        columns,
        mergeNewestFirst(lists, ({ timestamp }) => timestamp, last),
      );
    });
};
