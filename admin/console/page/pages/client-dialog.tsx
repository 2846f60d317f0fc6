import { useEffect, useState } from 'preact/hooks';
import type { ClientResponse, Login } from '../../api.ts';
import { Dialog, Notice } from '../components/controls.tsx';
import { Copyable, CopyButton } from '../components/copy-button.tsx';
import { post } from '../source.ts';
import { useWork } from '../use-response.ts';
import { ClientForms } from './client-forms.tsx';

type Props = Pick<Parameters<typeof ClientForms>[0], 'row' | 'plans'> & { onClose: () => void };

/** Only the state of this dialog has the password, until the dialog closes. */
export const ClientDialog = ({ row, plans, onClose }: Props) => {
  const { result, failure, isBusy, run } = useWork<ClientResponse>();
  const [sent, setSent] = useState<object>();
  const name = String(row?.['Client']);
  const send = (body: object) => {
    setSent(body);
    run(() => post(row ? `clients/${encodeURIComponent(name)}` : 'clients', body));
  };
  const question = result?.question;
  const done = result?.question === undefined ? result : undefined;
  return (
    <Dialog title={row ? `Edit ${name}` : 'Add a client'} isBusy={isBusy} onClose={onClose}>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {question !== undefined && <Notice>{question}</Notice>}
      {done && <p role="status">{done.message}</p>}
      {done?.login && <Handover {...done.login} />}
      <fieldset disabled={isBusy} hidden={result !== undefined}>
        <ClientForms {...{ row, plans }} onSend={send} />
      </fieldset>
      <form method="dialog" class="flow chips">
        {question !== undefined && (
          <button
            type="button"
            class="primary"
            disabled={isBusy}
            onClick={() => send({ ...sent, confirmed: true })}
          >
            Yes
          </button>
        )}
        <button type="submit" disabled={isBusy}>
          {done ? 'Close' : 'Cancel'}
        </button>
      </form>
    </Dialog>
  );
};

const preventDefault = (event: Event) => event.preventDefault();

const Handover = ({ userName, password, baseUrl }: Login) => {
  useEffect(() => {
    // The browser asks before it leaves or loads the page.
    addEventListener('beforeunload', preventDefault);
    return () => removeEventListener('beforeunload', preventDefault);
  }, []);
  return (
    <section class="card" aria-label="For the warehouse">
      <p>The password is not shown again. Copy it now and enter it in the warehouse system.</p>
      <Copyable label="User name" value={userName} />
      <Copyable label="Password" value={password} />
      <Copyable label="Base URL" value={baseUrl} />
      <CopyButton
        text={`User name: ${userName}\nPassword: ${password}\nBase URL: ${baseUrl}`}
        says={['Copy all', 'All is copied']}
        failed="Nothing was copied. Copy the three values one by one."
      />
    </section>
  );
};
