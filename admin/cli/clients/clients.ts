import { damageOf, readClient } from '../../../shared/clients/write-client.ts';
import { type ClientStatus, readStatuses } from '../../clients/client-status.ts';
import { describeNoClients, noClient } from '../../clients/client-table.ts';
import { noticesOf } from '../../clients/slots.ts';
import { openSession } from '../../deployment/session.ts';
import type { Column } from '../../text/output.ts';
import { formatTime } from '../../text/time.ts';
import { joinFirstNames } from '../../text/words.ts';
import { defineCommand, defineGroup, type Group } from '../terminal/define-command.ts';
import { flag, requiredText } from '../terminal/options.ts';
import { ageColumn, type Output, toTable } from '../terminal/output.ts';
import { addEditCommands } from './change-clients.ts';

export const addClients = (program: Group) => {
  const clients = defineGroup(program, {
    name: 'clients',
    description: 'add, change, lock and remove clients; show them, and when each last sent a batch',
    examples: ['clients add north', 'clients list --late', 'clients rotate north'],
  });
  addEditCommands(clients);
  addList(clients);
  addShow(clients);
};

const addList = (clients: Group) =>
  defineCommand(clients, {
    name: 'list',
    description: 'list the clients with their slots, their last batches and the age of their passwords',
    options: {
      late: flag('--late', 'only clients whose batch is late'),
      removed: flag('--removed', 'also clients that were removed'),
    },
    examples: ['clients list', 'clients list --late', 'clients list --removed --json'],
    run: async function* ({ late, removed = false, ...where }, output) {
      const session = await openSession(where);
      const { deployment, now } = session;
      const isWanted = ({ RemovedAt }: { RemovedAt?: string }) => !RemovedAt || removed;
      const { statuses, active, damagedNames, batchDamages } = await readStatuses(session, isWanted);
      yield* batchDamages;
      const shown = late ? statuses.filter(({ State }) => State === 'late') : statuses;
      yield toTable(listColumns(output, now), shown);
      if (statuses.length === 0) yield describeNoClients(deployment.name);
      yield* noticesOf(active, damagedNames, deployment.plans);
    },
  });

const attributes = (...names: (keyof ClientStatus)[]) =>
  names.map((name): Column<ClientStatus> => ({ name, value: (status) => status[name] }));

const listColumns = (output: Output, now: Date): Column<ClientStatus>[] => [
  { name: 'Client', value: output.isForPeople ? nameWithDisplayName : ({ Client }) => Client },
  { name: 'UserName', title: 'User name', value: ({ UserName }) => UserName },
  ...attributes('Plan'),
  { name: 'Slot', value: ({ Slot }) => Slot, align: 'right' },
  { name: 'LastBatchAt', title: 'Last batch', value: ({ LastBatchAt }) => LastBatchAt },
  ...ageColumn(output, now, ({ LastBatchAt }: ClientStatus) => LastBatchAt, 'Batch age'),
  ...attributes('State'),
  ...ageColumn(
    output,
    now,
    ({ PasswordChangedAt }: ClientStatus) => new Date(PasswordChangedAt),
    'Password age',
  ),
  ...(output.isForPeople ? [{ name: 'Notes', value: notesOf }] : columnsForPrograms),
];

const nameWithDisplayName = ({ Client, DisplayName }: ClientStatus) =>
  DisplayName === undefined || DisplayName === Client ? Client : `${Client} (${DisplayName})`;

const notesOf = ({ SharedWith, OwnPassword, LockedAt, RemovedAt }: ClientStatus) =>
  [
    ...(SharedWith.length > 0 ? [`slot shared with ${joinFirstNames(SharedWith)}`] : []),
    ...(OwnPassword ? ['own password'] : []),
    ...(LockedAt ? [`locked since ${formatTime(new Date(LockedAt))}`] : []),
    ...(RemovedAt ? [`removed at ${formatTime(new Date(RemovedAt))}`] : []),
  ].join('; ');

const columnsForPrograms: Column<ClientStatus>[] = [
  ...attributes('LastChangeAt', 'SharedWith'),
  { name: 'OwnPassword', value: ({ OwnPassword = false }) => OwnPassword },
  ...attributes('SilenceHours', 'PasswordChangedAt', 'LockedAt', 'RemovedAt'),
  ...attributes('DisplayName', 'Language', 'Contact'),
];

const withTimes = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      return [name, typeof value === 'string' && /(At|From|Until)$/.test(name) ? new Date(value) : value];
    }),
  );

const addShow = (clients: Group) =>
  defineCommand(clients, {
    name: 'show',
    description: 'show everything about a client except its passwords, which are stored nowhere',
    options: { name: requiredText('<name>', 'the client, which may be removed') },
    examples: ['clients show north', 'clients show north --json'],
    run: async function* ({ name, ...where }) {
      const session = await openSession(where);
      const { deployment } = session;
      const isWanted = ({ Client }: { Client: string }) => Client === name;
      const { statuses, damagedNames, batchDamages } = await readStatuses(session, isWanted);
      yield* batchDamages;
      if (damagedNames.includes(name)) {
        const stored = await readClient(deployment.dynamodb, deployment.tables.Clients, name);
        const damage = stored && damageOf(name, stored.item);
        if (damage) throw damage;
      }
      if (!statuses[0]) throw noClient(name, deployment.name);
      const { State, ...record } = statuses[0];
      yield { record: withTimes(record) };
    },
  });
