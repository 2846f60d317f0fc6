import { useState } from 'preact/hooks';
import { DAY_MS, formatAge, HOUR_MS } from '../../../cli/time.ts';
import type { ClientStatus } from '../../api.ts';
import { Waiting, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { hrefTo } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useAnswer } from '../use-answer.ts';
import { Rotation } from './clients-rotation.tsx';

export const ClientsPage = () => {
  const state = useAnswer<ClientStatus[]>('clients', { isRefreshed: true });
  const [chosen, setChosen] = useState<ClientStatus>();
  const rotation: Column<ClientStatus> = {
    title: 'New password',
    cell: (client) => (
      <button
        type="button"
        class="plain"
        aria-label={`Rotate ${client.name}`}
        onClick={() => setChosen(client)}
      >
        Rotate
      </button>
    ),
  };
  const close = () => {
    setChosen(undefined);
    state.refresh();
  };
  const columns = columnsAt(Date.now());
  return (
    <>
      <Waiting {...state} />
      {state.answer && (
        <DataTable
          caption="Clients of the deployment"
          columns={isReadOnly ? columns : [...columns, rotation]}
          rows={state.answer}
        />
      )}
      {chosen && <Rotation client={chosen} onClose={close} />}
    </>
  );
};

const OLD_MS = 365 * DAY_MS;

const columnsAt = (now: number): Column<ClientStatus>[] => [
  { title: 'Client', kind: 'head', cell: ({ name }) => <a href={hrefTo('batches', [name])}>{name}</a> },
  { title: 'User name', kind: 'word', cell: ({ username }) => username },
  { title: 'Password', kind: 'word', cell: (client) => ageOf(client, now) },
  {
    title: 'Previous password',
    cell: ({ previousValidUntil: until }) =>
      until !== null && until > now && `valid for ${span(now, until)} more`,
  },
  { title: 'Last batch', kind: 'word', cell: ({ lastSnapshotAt: at }) => at !== null && <When at={at} /> },
  { title: 'Last change', kind: 'word', cell: ({ lastChangeAt: at }) => at !== null && <When at={at} /> },
  { title: 'In time', kind: 'word', cell: (client) => latenessOf(client, now) },
];

const span = (from: number, to: number) => formatAge(new Date(from), new Date(to));
const alarm = (text: string) => <span class="below">{text}</span>;

const ageOf = ({ passwordChangedAt: at, isDamaged }: ClientStatus, now: number) => {
  if (isDamaged) return alarm('damaged: the client cannot sign in; rotate it');
  return now - at < OLD_MS ? `${span(at, now)} old` : alarm(`${span(at, now)} old: rotate it`);
};

const latenessOf = ({ silenceHours, lastSnapshotAt: at }: ClientStatus, now: number) => {
  if (!silenceHours) return <span class="soft">{silenceHours === 0 ? 'no alarm set' : 'not known'}</span>;
  const due = (at ?? 0) + silenceHours * HOUR_MS;
  if (due >= now) return 'yes';
  return alarm(at === null ? 'late, no batch yet' : `late by ${span(due, now)}`);
};
