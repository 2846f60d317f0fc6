import { useState } from 'preact/hooks';
import { DAY_MS } from '../../../../shared/time.ts';
import { stateOf } from '../../../clients/client-state.ts';
import { formatAge } from '../../../text/time.ts';
import { joinFirstNames } from '../../../text/words.ts';
import type { ClientList } from '../../api.ts';
import { Notice, Waiting, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { hrefTo, type PageProps, replaceQuery } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useResponse } from '../use-response.ts';
import { ClientDialog } from './client-dialog.tsx';

type ClientStatus = ClientList['clients'][number];

const READ_EVERY_MS = 30_000;

export const ClientsPage = ({ route: { query } }: PageProps) => {
  const state = useResponse<ClientList>('clients', { everyMs: READ_EVERY_MS });
  const [chosen, setChosen] = useState<ClientStatus | 'new'>();
  const edit: Column<ClientStatus> = {
    title: 'Edit',
    cell: (client) => (
      <button
        type="button"
        class="plain"
        aria-label={`Edit ${client.Client}`}
        onClick={() => setChosen(client)}
      >
        Edit
      </button>
    ),
  };
  const close = () => {
    setChosen(undefined);
    state.refresh();
  };
  if (!state.response) return <Waiting {...state} />;
  const { clients, notices, plans } = state.response;
  const columns = columnsAt(Date.now());
  const sort = query.get('sort') ?? 'Client';
  return (
    <>
      <Waiting {...state} />
      {notices.length > 0 && <Notice>{notices.join('\n')}</Notice>}
      {!isReadOnly && (
        <button type="button" onClick={() => setChosen('new')}>
          Add a client
        </button>
      )}
      <DataTable
        caption="Clients of the deployment"
        columns={isReadOnly ? columns : [...columns, edit]}
        rows={sortClients(clients, sort)}
        keyOf={({ Client }) => Client}
        sort={sort}
        onSort={(sort) => replaceQuery({ sort })}
      />
      <button type="button" class="plain small" onClick={() => print()}>
        Print these rows
      </button>
      {chosen && (
        <ClientDialog client={chosen === 'new' ? undefined : chosen} plans={plans} onClose={close} />
      )}
    </>
  );
};

/** Each name of an order is the name of a value. All of them are texts, or times with as many digits. */
const columnsAt = (now: number): Column<ClientStatus>[] => [
  {
    title: 'Client',
    sort: 'Client',
    kind: 'head',
    cell: ({ Client }) => <a href={hrefTo('batches', [Client])}>{Client}</a>,
  },
  { title: 'User name', sort: 'UserName', kind: 'word', cell: ({ UserName }) => UserName },
  {
    title: 'Plan and slot',
    sort: 'Plan',
    cell: ({ Plan, Slot, sharedWith }) =>
      `${Plan} ${Slot}${sharedWith.length > 0 ? `, with ${joinFirstNames(sharedWith)}` : ''}`,
  },
  {
    title: 'Password',
    sort: 'PasswordChangedAt',
    kind: 'word',
    cell: (client) => ageOf(client, now),
  },
  {
    title: 'Previous password',
    sort: 'PreviousUntil',
    cell: ({ PreviousUntil }) => {
      const until = Date.parse(PreviousUntil ?? '');
      return until > now && `valid for ${span(now, until)} more`;
    },
  },
  {
    title: 'Last batch',
    sort: 'lastBatchAt',
    kind: 'word',
    cell: ({ lastBatchAt: at }) => at !== null && <When at={at} />,
  },
  {
    title: 'Last change',
    sort: 'lastChangeAt',
    kind: 'word',
    cell: ({ lastChangeAt: at }) => at !== null && <When at={at} />,
  },
  { title: 'State', sort: 'lateFrom', kind: 'word', cell: (client) => describeState(client, now) },
];

const sortClients = (clients: readonly ClientStatus[], sort: string) => {
  const name = sort.replace(/^-/, '');
  const textOf = (client: object) => String(new Map(Object.entries(client)).get(name) ?? '');
  const direction = sort === name ? 1 : -1;
  return clients.toSorted((one, other) => {
    const [a, b] = [textOf(one), textOf(other)];
    return direction * (Number(a > b) - Number(a < b));
  });
};

const OLD_MS = 365 * DAY_MS;

const span = (from: number, to: number) => formatAge(new Date(from), new Date(to));
const alarm = (text: string) => <span class="below">{text}</span>;

const ageOf = ({ PasswordChangedAt, OwnPassword }: ClientStatus, now: number) => {
  const at = Date.parse(PasswordChangedAt);
  const age = `${span(at, now)} old${OwnPassword ? ', own password' : ''}`;
  return now - at < OLD_MS ? age : alarm(`${age}: rotate it`);
};

const describeState = (client: ClientStatus, now: number) => {
  const state = stateOf(client, now);
  if (state === 'locked') return alarm(state);
  if (state !== 'late') return state;
  const { lateFrom, lastBatchAt } = client;
  return alarm(`late by ${span(lateFrom ?? now, now)}${lastBatchAt === null ? ', no batch yet' : ''}`);
};
