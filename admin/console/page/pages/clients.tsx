import { useState } from 'preact/hooks';
import { DAY_MS, formatAge, HOUR_MS } from '../../../cli/time.ts';
import { counted } from '../../../cli/words.ts';
import type { ClientStatus, Rotated } from '../../api.ts';
import { Age, Dialog, Notice, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { formatTime } from '../format.ts';
import { hrefTo } from '../route.ts';
import { isReadOnly, post } from '../source.ts';
import { useAnswer } from '../use-answer.ts';

const OLD_MS = 365 * DAY_MS;

export const ClientsPage = () => {
  const { answer: clients, failure, refresh } = useAnswer<ClientStatus[]>('clients', { isRefreshed: true });
  const [chosen, setChosen] = useState<ClientStatus>();
  const now = Date.now();
  if (clients === undefined && failure === undefined) return <p role="status">Reading…</p>;
  const columns: Column<ClientStatus>[] = [
    { title: 'Client', kind: 'head', cell: ({ name }) => <a href={hrefTo('batches', [name])}>{name}</a> },
    { title: 'User name', kind: 'word', cell: ({ username }) => username },
    { title: 'Password', kind: 'word', cell: (client) => <PasswordAge client={client} now={now} /> },
    { title: 'Previous password', kind: 'word', cell: (client) => <Overlap client={client} now={now} /> },
    { title: 'Last batch', kind: 'word', cell: ({ lastSnapshotAt: at }) => <Last at={at} now={now} /> },
    { title: 'Last change', kind: 'word', cell: ({ lastChangeAt: at }) => <Last at={at} now={now} /> },
    { title: 'In time', kind: 'word', cell: (client) => <InTime client={client} now={now} /> },
  ];
  const rotation: Column<ClientStatus> = {
    title: 'Rotate',
    kind: 'word',
    cell: (client) => (
      <button type="button" class="chip" onClick={() => setChosen(client)}>
        Rotate<span class="hidden"> {client.name}</span>
      </button>
    ),
  };
  return (
    <>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {clients && (
        <DataTable
          caption="Clients of the deployment"
          columns={isReadOnly ? columns : [...columns, rotation]}
          rows={clients}
        />
      )}
      {chosen && (
        <Rotation
          client={chosen}
          onClose={() => {
            setChosen(undefined);
            refresh();
          }}
        />
      )}
    </>
  );
};

type CellProps = { client: ClientStatus; now: number };

const PasswordAge = ({ client: { passwordChangedAt: at, isDamaged }, now }: CellProps) => {
  if (isDamaged) return <span class="alarming">damaged, so nobody can sign in: rotate it</span>;
  const age = formatAge(new Date(at), new Date(now));
  return (
    <span class={now - at >= OLD_MS ? 'alarming' : undefined}>
      {now - at >= OLD_MS ? `${age} old, rotate it` : `${age} old`}
    </span>
  );
};

const Overlap = ({ client: { previousValidUntil: until }, now }: CellProps) =>
  until === null || until <= now ? (
    <span class="soft">none</span>
  ) : (
    <>
      valid until <When at={until} />, {formatAge(new Date(now), new Date(until))} left
    </>
  );

const Last = ({ at, now }: { at: number | null; now: number }) =>
  at === null ? (
    <span class="soft">none</span>
  ) : (
    <>
      <When at={at} /> <Age at={at} now={now} />
    </>
  );

const InTime = ({ client: { silenceHours, lastSnapshotAt: at }, now }: CellProps) => {
  if (!silenceHours) return <span class="soft">{silenceHours === 0 ? 'no alarm' : ''}</span>;
  if (at === null) return <span class="alarming">late</span>;
  const due = at + silenceHours * HOUR_MS;
  return due < now ? (
    <span class="alarming">late by {formatAge(new Date(due), new Date(now))}</span>
  ) : (
    <>yes</>
  );
};

type RotationProps = { client: ClientStatus; onClose: () => void };

/** The password is in this state alone, which ends when the dialog is closed. */
const Rotation = ({ client, onClose }: RotationProps) => {
  const [rotated, setRotated] = useState<Rotated>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const rotate = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      setRotated(await post<Rotated>(`clients/${encodeURIComponent(client.name)}/rotate`, {}));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title={`New password for ${client.name}`} isBusy={isBusy} onClose={onClose}>
      {rotated ? <NewPassword rotated={rotated} /> : <Consequences client={client} />}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <p class="flow">
        {!rotated && (
          <button type="button" class="chip main" disabled={isBusy} onClick={rotate}>
            Give {client.name} a new password
          </button>
        )}
        <button type="button" class="chip" disabled={isBusy} onClick={closeDialog}>
          {rotated ? 'Close' : 'Cancel'}
        </button>
      </p>
    </Dialog>
  );
};

const closeDialog = ({ currentTarget }: Event) => {
  if (currentTarget instanceof Element) currentTarget.closest('dialog')?.close();
};

const Consequences = ({
  client: { name, overlapHours, previousValidUntil: until },
}: {
  client: ClientStatus;
}) => (
  <>
    <p>
      {name} gets a new password now. It is shown once, here.{' '}
      {overlapHours > 0 ? (
        <>
          The present one stays valid for {counted(overlapHours, 'hour')}, until{' '}
          <When at={Date.now() + overlapHours * HOUR_MS} />.
        </>
      ) : (
        'The present one ends at once.'
      )}
    </p>
    {until !== null && until > Date.now() && (
      <Notice>
        The last change was a short while ago. The password before that one, valid until {formatTime(until)},
        ends at once: if the warehouse system still signs in with it, it is locked out.
      </Notice>
    )}
  </>
);

const focus = (element: HTMLElement | null) => element?.focus();

const NewPassword = ({ rotated: { password, client } }: { rotated: Rotated }) => {
  const [copied, setCopied] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(password).then(
      () => setCopied('Copied.'),
      () => setCopied('The browser does not allow that. Select the password and copy it.'),
    );
  return (
    <>
      <p class="flow secret">
        <code>{password}</code>
        <button type="button" class="chip" ref={focus} onClick={copy}>
          Copy
        </button>
        <span role="status">{copied}</span>
      </p>
      <p>
        Enter it in the warehouse system of {client.name}, for the user name <code>{client.username}</code>.
        It works within 60 seconds.{' '}
        {client.previousValidUntil !== null && (
          <>
            The previous one is valid until <When at={client.previousValidUntil} />: by then, this page should
            show a change or a batch that came with the new one.
          </>
        )}
      </p>
      <p class="soft">
        This page does not show it again. <code>warehouse-admin clients show {client.name} --reveal</code>{' '}
        does.
      </p>
    </>
  );
};
