import type { Command } from '@commander-js/extra-typings';
import { damageOf, readClient } from '../../../shared/clients/write-client.ts';
import { validUntil } from '../../clients/client-changes.ts';
import { type ClientStatus, readStatuses, stateOf } from '../../clients/client-status.ts';
import { describeNoClients, noClient } from '../../clients/client-table.ts';
import { noticesOf } from '../../clients/slots.ts';
import type { Column } from '../../text/output.ts';
import { joinFirstNames } from '../../text/words.ts';
import { ageColumn } from '../terminal/age-column.ts';
import { examples } from '../terminal/arguments.ts';
import { type CommandSession, openCommand } from '../terminal/open-command.ts';
import { say } from '../terminal/terminal.ts';
import { addEditCommands } from './change-clients.ts';

export const addClients = (program: Command) => {
  const clients = program
    .command('clients')
    .description('add, change, lock and remove clients; show them, and when each last sent a batch')
    .addHelpText('after', examples('clients add north', 'clients list --late', 'clients rotate north'));
  addEditCommands(clients);
  addList(clients);
  addShow(clients);
};

const addList = (clients: Command) => {
  clients
    .command('list')
    .description('list the clients with their slots, their last batches and the age of their passwords')
    .option('--late', 'only clients whose batch is late')
    .option('--removed', 'also clients that were removed')
    .addHelpText('after', examples('clients list', 'clients list --late', 'clients list --removed --json'))
    .action(async ({ late, removed }, command) => {
      const session = await openCommand(command);
      const { deployment, now } = session;
      const isWanted = ({ RemovedAt }: { RemovedAt?: string }) => !RemovedAt || (removed ?? false);
      const { statuses, active, damagedNames, batchDamages } = await readStatuses(session, isWanted);
      for (const damage of batchDamages) say(damage);
      const shown = late ? statuses.filter((status) => stateOf(status, now.getTime()) === 'late') : statuses;
      await session.printRows(listColumns(session), shown);
      if (statuses.length === 0) say(describeNoClients(deployment.name));
      for (const notice of noticesOf(active, damagedNames, deployment.plans)) say(notice);
    });
};

/** Columns with the names of attributes. */
const attributes = (...names: (keyof ClientStatus)[]) =>
  names.map((name): Column<ClientStatus> => ({ name, value: (status) => status[name] }));

const listColumns = (session: CommandSession): Column<ClientStatus>[] => [
  ...attributes('Client'),
  { name: 'UserName', title: 'User name', value: ({ UserName }) => UserName },
  ...attributes('Plan'),
  { name: 'Slot', value: ({ Slot }) => Slot, align: 'right' },
  { name: 'LastBatchAt', title: 'Last batch', value: ({ lastBatchAt }) => toDate(lastBatchAt) },
  ...ageColumn(session, ({ lastBatchAt }: ClientStatus) => toDate(lastBatchAt) ?? undefined, 'Batch age'),
  { name: 'State', value: (client) => stateOf(client, session.now.getTime()) },
  ...ageColumn(session, ({ PasswordChangedAt }: ClientStatus) => new Date(PasswordChangedAt), 'Password age'),
  ...(session.format.kind === 'table' ? [{ name: 'Notes', value: notesOf }] : columnsForPrograms),
];

const notesOf = ({ sharedWith, OwnPassword, LockedAt, RemovedAt }: ClientStatus) =>
  [
    ...(sharedWith.length > 0 ? [`slot shared with ${joinFirstNames(sharedWith)}`] : []),
    ...(OwnPassword ? ['own password'] : []),
    ...(LockedAt ? [`locked since ${LockedAt}`] : []),
    ...(RemovedAt ? [`removed at ${RemovedAt}`] : []),
  ].join('; ');

const columnsForPrograms: Column<ClientStatus>[] = [
  { name: 'LastChangeAt', value: ({ lastChangeAt }) => toDate(lastChangeAt) },
  { name: 'SharedWith', value: ({ sharedWith }) => sharedWith },
  { name: 'OwnPassword', value: ({ OwnPassword = false }) => OwnPassword },
  ...attributes('SilenceHours', 'PasswordChangedAt', 'LockedAt', 'RemovedAt'),
];

const toDate = (at: number | null) => (at === null ? null : new Date(at));

const addShow = (clients: Command) => {
  clients
    .command('show')
    .description('show everything about a client except its passwords, which are stored nowhere')
    .argument('<name>', 'the client, which may be removed')
    .addHelpText('after', examples('clients show north', 'clients show north --json'))
    .action(async (name, _, command) => {
      const session = await openCommand(command);
      const { deployment } = session;
      const { statuses, damagedNames, batchDamages } = await readStatuses(
        session,
        ({ Client }) => Client === name,
      );
      for (const damage of batchDamages) say(damage);
      if (damagedNames.includes(name)) {
        const stored = await readClient(deployment.dynamodb, deployment.tables.Clients, name);
        const damage = stored && damageOf(name, stored.item);
        if (damage) throw damage;
      }
      const [status] = statuses;
      if (!status) throw noClient(name, deployment.name);
      const { lastBatchAt, lastChangeAt, lateFrom, sharedWith, PreviousUntil, FormerSilence, ...client } =
        status;
      await session.printRecord({
        ...client,
        PreviousUntil: validUntil(PreviousUntil, session.now),
        SharedWith: sharedWith,
        LastBatchAt: toDate(lastBatchAt),
        LastChangeAt: toDate(lastChangeAt),
        LateFrom: toDate(lateFrom),
      });
    });
};
