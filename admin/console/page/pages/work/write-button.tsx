import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClientMessage } from '../../../api.ts';
import { Dialog, Field, Notice, Waiting } from '../../components/controls.tsx';
import { Copyable, CopyButton } from '../../components/copy-button.tsx';
import { hrefTo } from '../../route.ts';
import { pathTo } from '../../source.ts';
import { useResponse } from '../../use-response.ts';
import { useStock } from '../../use-stock.ts';
import { useMark } from './marks.tsx';

type Props = { client: string; name: string; onClose: () => void };

/** Opens a message to the people of a warehouse. */
export const WriteButton = ({ client }: { client: string }) => {
  const [isOpen, setOpen] = useState(false);
  const name = useStock().nameOf(client);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Write to {name}
      </button>
      {isOpen && <MessageDialog {...{ client, name }} onClose={() => setOpen(false)} />}
    </>
  );
};

const MessageDialog = ({ client, name, onClose }: Props) => {
  // The text stays while somebody changes it, also if the stock changes.
  const { response, ...state } = useResponse<ClientMessage | null>(pathTo(['message'], { client }));
  return (
    <Dialog title={`Write to ${name}`} onClose={onClose}>
      <Waiting response={response} {...state} />
      {response === null && <p>There is nothing to write to {name}.</p>}
      {response && <MessageForm {...response} {...{ client, onClose }} />}
      {!response && <form method="dialog">{CLOSE}</form>}
    </Dialog>
  );
};

const CLOSE = <button type="submit">Close</button>;

/** Some mail programs cut or ignore a longer link. */
const MAX_LINK = 1_900;

const addressIn = (contact: string | null) =>
  /[^\s<>,;:"'()]+@[^\s<>,;:"'()]+\.[\p{L}\d-]+/u.exec(contact ?? '')?.[0];

type FormProps = ClientMessage & Omit<Props, 'name'>;

const MessageForm = ({ client, subject, text: written, contact, named, readAt, onClose }: FormProps) => {
  const [text, setText] = useState(written);
  const [isWritten, setWritten] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { write, failure, isBusy } = useMark(client, named);
  const address = addressIn(contact);
  const to = encodeURIComponent(address ?? '').replace('%40', '@');
  const short = `mailto:${to}?subject=${encodeURIComponent(subject)}`;
  const whole = `${short}&body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;
  const isLong = whole.length >= MAX_LINK;
  useEffect(() => {
    // The dialog opened before the text was there. The text begins at its first line.
    field.current?.setSelectionRange(0, 0);
    field.current?.focus();
  }, []);
  return (
    <>
      {contact ? (
        <Notice>{contact}</Notice>
      ) : (
        <p>
          The client has no contact.{' '}
          <a href={hrefTo('clients', [], { edit: client })} onClick={onClose}>
            Add one
          </a>
        </p>
      )}
      <Copyable label="Subject" value={subject} />
      <Field label="Text" isWide>
        <textarea
          ref={field}
          rows={16}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {address && isLong && (
        <p>The message is too long for a link. Copy it first, and paste it into the mail.</p>
      )}
      <form method="dialog" class="flow chips">
        <CopyButton
          {...{ text, field }}
          isPrimary
          failed="The message was not copied. It is selected now: press Control and C."
          onCopied={() => setWritten(true)}
        />
        {address && (
          <a class="button" href={isLong ? short : whole} onClick={() => setWritten(true)}>
            Mail
          </a>
        )}
        {isWritten && (
          <button type="button" disabled={isBusy} onClick={() => write('told', { readAt }, onClose)}>
            Mark as told
          </button>
        )}
        {CLOSE}
      </form>
    </>
  );
};
