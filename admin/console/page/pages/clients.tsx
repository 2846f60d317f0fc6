import { useState } from 'preact/hooks';
import { DAY_MS } from '../../../../shared/time.ts';
import { formatAge } from '../../../cli/time.ts';
import { joinFirstNames } from '../../../cli/words.ts';
import type { ClientList } from '../../api.ts';
import { Notice, Waiting, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { hrefTo } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useAnswer } from '../use-answer.ts';
import { ClientDialog } from './client-dialog.tsx';

type ClientStatus = ClientList['clients'][number];

export const ClientsPage = () => {
  const state = useAnswer<ClientList>('clients', { isRefreshed: true });
  const [chosen, setChosen] = useState<ClientStatus | 'new'>();
  const change: Column<ClientStatus> = {
    title: 'Change',
    cell: (client) => (
      <button
        type="button"
        class="plain"
        aria-label={`Change ${client.Client}`}
        onClick={() => setChosen(client)}
      >
        Change
      </button>
    ),
  };
  const close = () => {
    setChosen(undefined);
    state.refresh();
  };
  const { clients = [], notices = [], plans = [] } = state.answer ?? {};
  const columns = columnsAt(Date.now());
  return (
    <>
      <Waiting {...state} />
      {notices.length > 0 && <Notice>{notices.join('\n')}</Notice>}
      {state.answer && !isReadOnly && (
        <button type="button" onClick={() => setChosen('new')}>
          Add a client
        </button>
      )}
      {state.answer && (
        <DataTable
          caption="Clients of the deployment"
          columns={isReadOnly ? columns : [...columns, change]}
          rows={clients}
        />
      )}
      {chosen && (
        <ClientDialog client={chosen === 'new' ? undefined : chosen} plans={plans} onClose={close} />
      )}
    </>
  );
};

const OLD_MS = 365 * DAY_MS;

const columnsAt = (now: number): Column<ClientStatus>[] => [
  { title: 'Client', kind: 'head', cell: ({ Client }) => <a href={hrefTo('batches', [Client])}>{Client}</a> },
  { title: 'User name', kind: 'word', cell: ({ UserName }) => UserName },
  {
    title: 'Plan and slot',
    cell: ({ Plan, Slot, sharedWith }) =>
      `${Plan} ${Slot}${sharedWith.length > 0 ? `, with ${joinFirstNames(sharedWith)}` : ''}`,
  },
  { title: 'Password', kind: 'word', cell: (client) => ageOf(client, now) },
  {
    title: 'Previous password',
    cell: ({ PreviousUntil }) => {
      const until = Date.parse(PreviousUntil ?? '');
      return until > now && `valid for ${span(now, until)} more`;
    },
  },
  { title: 'Last batch', kind: 'word', cell: ({ lastBatchAt: at }) => at !== null && <When at={at} /> },
  { title: 'Change reported', kind: 'word', cell: ({ lastChangeAt: at }) => at !== null && <When at={at} /> },
  { title: 'In time', kind: 'word', cell: (client) => latenessOf(client, now) },
];

const span = (from: number, to: number) => formatAge(new Date(from), new Date(to));
const alarm = (text: string) => <span class="below">{text}</span>;

const ageOf = ({ PasswordChangedAt, OwnPassword }: ClientStatus, now: number) => {
  const at = Date.parse(PasswordChangedAt);
  const age = `${span(at, now)} old${OwnPassword ? ', not generated' : ''}`;
  return now - at < OLD_MS ? age : alarm(`${age}: rotate it`);
};

const latenessOf = ({ LockedAt, lateFrom, lastBatchAt }: ClientStatus, now: number) => {
  if (LockedAt) return alarm('locked');
  if (lateFrom === null) return <span class="soft">nobody waits</span>;
  if (lateFrom > now) return 'yes';
  return alarm(`late by ${span(lateFrom, now)}${lastBatchAt === null ? ', no batch yet' : ''}`);
};
