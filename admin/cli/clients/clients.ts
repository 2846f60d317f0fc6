import { damageOf, readClient } from '../../../shared/clients/write-client.ts';
import { validUntil } from '../../clients/client-changes.ts';
import { type ClientStatus, readStatuses } from '../../clients/client-status.ts';
import { describeNoClients, noClient } from '../../clients/client-table.ts';
import { noticesOf } from '../../clients/slots.ts';
import { stateOf } from '../../clients/state-of.ts';
import { openSession } from '../../deployment/session.ts';
import type { Column } from '../../text/output.ts';
import { joinFirstNames } from '../../text/words.ts';
import { defineCommand, defineGroup, type Group } from '../terminal/define-command.ts';
import { argument, flag } from '../terminal/options.ts';
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
      const shown = late ? statuses.filter((status) => stateOf(status, now.getTime()) === 'late') : statuses;
      yield toTable(listColumns(output, now), shown);
      if (statuses.length === 0) yield describeNoClients(deployment.name);
      yield* noticesOf(active, damagedNames, deployment.plans);
    },
  });

/** Columns with the names of attributes. */
const attributes = (...names: (keyof ClientStatus)[]) =>
  names.map((name): Column<ClientStatus> => ({ name, value: (status) => status[name] }));

const listColumns = (output: Output, now: Date): Column<ClientStatus>[] => [
  ...attributes('Client'),
  { name: 'UserName', title: 'User name', value: ({ UserName }) => UserName },
  ...attributes('Plan'),
  { name: 'Slot', value: ({ Slot }) => Slot, align: 'right' },
  { name: 'LastBatchAt', title: 'Last batch', value: ({ lastBatchAt }) => toDate(lastBatchAt) },
  ...ageColumn(output, now, ({ lastBatchAt }: ClientStatus) => toDate(lastBatchAt), 'Batch age'),
  { name: 'State', value: (client) => stateOf(client, now.getTime()) },
  ...ageColumn(
    output,
    now,
    ({ PasswordChangedAt }: ClientStatus) => new Date(PasswordChangedAt),
    'Password age',
  ),
  ...(output.isForPeople ? [{ name: 'Notes', value: notesOf }] : columnsForPrograms),
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

const addShow = (clients: Group) =>
  defineCommand(clients, {
    name: 'show',
    description: 'show everything about a client except its passwords, which are stored nowhere',
    options: { name: argument('<name>', 'the client, which may be removed') },
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
      const [status] = statuses;
      if (!status) throw noClient(name, deployment.name);
      const { lastBatchAt, lastChangeAt, lateFrom, sharedWith, PreviousUntil, FormerSilence, ...client } =
        status;
      yield {
        record: {
          ...client,
          PreviousUntil: validUntil(PreviousUntil, session.now),
          SharedWith: sharedWith,
          LastBatchAt: toDate(lastBatchAt),
          LastChangeAt: toDate(lastChangeAt),
          LateFrom: toDate(lateFrom),
        },
      };
    },
  });
