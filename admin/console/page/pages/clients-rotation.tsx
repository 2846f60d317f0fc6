import { useState } from 'preact/hooks';
import { HOUR_MS } from '../../../cli/time.ts';
import type { ClientStatus, Rotated } from '../../api.ts';
import { Dialog, Notice, When } from '../components/controls.tsx';
import { post } from '../source.ts';

type Props = { client: ClientStatus; onClose: () => void };

/** The password is in this state alone, which ends when the dialog is closed. */
export const Rotation = ({ client, onClose }: Props) => {
  const [rotated, setRotated] = useState<Rotated>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const rotate = async () => {
    setBusy(true);
    const options = endsPrevious(client) ? { endsPrevious: true } : {};
    await post<Rotated>(`clients/${encodeURIComponent(client.name)}/rotate`, options).then(
      setRotated,
      (error) => setFailure(error.message),
    );
    setBusy(false);
  };
  return (
    <Dialog title={`New password for ${client.name}`} isBusy={isBusy} onClose={onClose}>
      {rotated ? <NewPassword rotated={rotated} /> : <Consequences client={client} />}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <p class="flow rotation">
        {!rotated && (
          <button type="button" class="primary" disabled={isBusy} onClick={rotate}>
            Give {client.name} a new password
          </button>
        )}
        <button
          type="button"
          class="chip"
          disabled={isBusy}
          onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
        >
          {rotated ? 'Close' : 'Cancel'}
        </button>
      </p>
    </Dialog>
  );
};

const endsPrevious = ({ previousValidUntil: until }: ClientStatus) => until !== null && until > Date.now();

const Consequences = ({ client }: { client: ClientStatus }) => {
  const { name, overlapHours, previousValidUntil: until } = client;
  return (
    <>
      <p>
        {name} gets a new password now, which is shown here once. The present one{' '}
        {overlapHours === 0 ? 'ends' : 'stays valid until '}
        {overlapHours === 0 ? ' at once' : <When at={Date.now() + overlapHours * HOUR_MS} />}.
      </p>
      {until !== null && endsPrevious(client) && (
        <Notice>
          The last change was a short while ago. The password before it, valid until <When at={until} />, ends
          at once. If {name} still signs in with that one, it cannot sign in any more.
        </Notice>
      )}
    </>
  );
};

const focus = (element: HTMLElement | null) => element?.focus();

const NewPassword = ({ rotated: { password, client } }: { rotated: Rotated }) => {
  const [copied, setCopied] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(password).then(
      () => setCopied('Copied'),
      () => setCopied('The browser does not allow it. Select the password and copy it.'),
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
        Enter it in the warehouse system, with the user name <code>{client.username}</code>. It works within
        60 seconds.{' '}
        {client.previousValidUntil !== null && (
          <>
            The previous one stays valid until <When at={client.previousValidUntil} />.
          </>
        )}{' '}
        Then see that the last change or batch of {client.name} moves on.
      </p>
      <p class="soft">
        This page does not show the password again.{' '}
        <code>warehouse-admin clients show {client.name} --reveal</code> does.
      </p>
    </>
  );
};
