import { useState } from 'preact/hooks';
import { DAY_MS, formatAge, HOUR_MS } from '../../../cli/time.ts';
import type { ClientStatus } from '../../api.ts';
import { Age, Notice, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { hrefTo } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useAnswer } from '../use-answer.ts';
import { Rotation } from './clients-rotation.tsx';

export const ClientsPage = () => {
  const { answer, failure, refresh } = useAnswer<ClientStatus[]>('clients', { isRefreshed: true });
  const [chosen, setChosen] = useState<ClientStatus>();
  const rotation: Column<ClientStatus> = {
    title: 'New password',
    cell: (client) => (
      <button
        type="button"
        class="chip"
        aria-label={`Rotate ${client.name}`}
        onClick={() => setChosen(client)}
      >
        Rotate
      </button>
    ),
  };
  const close = () => {
    setChosen(undefined);
    refresh();
  };
  return (
    <>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {answer === undefined && failure === undefined && <p role="status">Reading…</p>}
      {answer && (
        <DataTable
          caption="Clients of the deployment"
          columns={isReadOnly ? columnsAt(Date.now()) : [...columnsAt(Date.now()), rotation]}
          rows={answer}
        />
      )}
      {chosen && <Rotation client={chosen} onClose={close} />}
    </>
  );
};

const OLD_MS = 365 * DAY_MS;

const columnsAt = (now: number): Column<ClientStatus>[] => {
  const timeOf = (at: number | null) =>
    at !== null && (
      <span>
        <When at={at} /> <Age at={at} now={now} />
      </span>
    );
  return [
    { title: 'Client', kind: 'head', cell: ({ name }) => <a href={hrefTo('batches', [name])}>{name}</a> },
    { title: 'User name', kind: 'word', cell: ({ username }) => username },
    { title: 'Password', kind: 'word', cell: (client) => ageOf(client, now) },
    { title: 'Previous password', cell: (client) => overlapOf(client, now) },
    { title: 'Last batch', kind: 'word', cell: ({ lastSnapshotAt }) => timeOf(lastSnapshotAt) },
    { title: 'Last change', kind: 'word', cell: ({ lastChangeAt }) => timeOf(lastChangeAt) },
    { title: 'In time', kind: 'word', cell: (client) => latenessOf(client, now) },
  ];
};

const span = (from: number, to: number) => formatAge(new Date(from), new Date(to));
const alarm = (text: string) => <span class="alarming">{text}</span>;

const ageOf = ({ passwordChangedAt: at, isDamaged }: ClientStatus, now: number) => {
  if (isDamaged) return alarm('damaged, so it cannot sign in: rotate it');
  return now - at < OLD_MS ? `${span(at, now)} old` : alarm(`${span(at, now)} old: rotate it`);
};

const overlapOf = ({ previousValidUntil: until }: ClientStatus, now: number) =>
  until !== null &&
  until > now && (
    <span>
      valid until <When at={until} />, {span(now, until)} left
    </span>
  );

const latenessOf = ({ silenceHours, lastSnapshotAt: at }: ClientStatus, now: number) => {
  if (!silenceHours) return <span class="soft">{silenceHours === 0 ? 'no alarm set' : 'not known'}</span>;
  const due = (at ?? 0) + silenceHours * HOUR_MS;
  if (due >= now) return 'yes';
  return alarm(at === null ? 'late, no batch yet' : `late by ${span(due, now)}`);
};
