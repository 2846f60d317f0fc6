import { counted } from '../../../cli/words.ts';
import type { ClientStatus, Rotated } from '../../api.ts';
import { Dialog, Notice, When } from '../components/controls.tsx';
import { post } from '../source.ts';
import { useWork } from '../use-work.ts';

type Props = { client: ClientStatus; onClose: () => void };

/** Only this dialog's state has the password. It ends when the dialog closes. */
export const Rotation = ({ client, onClose }: Props) => {
  const { name, username, overlapHours, previousValidUntil: until } = client;
  const { result: rotated, failure, isBusy, run } = useWork<Rotated>();
  const endsPrevious = until !== null && until > Date.now();
  const rotate = () =>
    run(() => post(`clients/${encodeURIComponent(name)}/rotate`, endsPrevious ? { endsPrevious } : {}));
  return (
    <Dialog title={`New password for ${name}`} isBusy={isBusy} onClose={onClose}>
      <p>
        {rotated
          ? 'This password is not shown again. Copy it now and enter it in the warehouse system. It works after at most 60 seconds.'
          : `${name} gets a new password, which is shown here once.`}{' '}
        The old one stays valid for {counted(overlapHours, 'hour')} more.
      </p>
      {!rotated && endsPrevious && (
        <Notice>
          The last change was a short while ago. The password before it, valid until <When at={until} />, ends
          at once. If {name} still signs in with that one, it cannot sign in any more.
        </Notice>
      )}
      {rotated && (
        <label class="flow">
          New password of <code>{username}</code>
          <input readonly ref={select} value={rotated.password} />
        </label>
      )}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <form method="dialog" class="chips">
        {!rotated && (
          <button type="button" class="primary" disabled={isBusy} onClick={rotate}>
            Give {name} a new password
          </button>
        )}
        <button type="submit" disabled={isBusy}>
          {rotated ? 'Close' : 'Cancel'}
        </button>
      </form>
    </Dialog>
  );
};

const select = (input: HTMLInputElement | null) => input?.select();
