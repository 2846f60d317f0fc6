import { useState } from 'preact/hooks';
import { MAX_SILENCE_HOURS } from '../../../../shared/limits.ts';
import type { Action, Addition } from '../../edits/client-requests.ts';
import { Field } from '../components/controls.tsx';
import type { Cells } from '../use-stock.ts';

type FormEvent = SubmitEvent & { currentTarget: HTMLFormElement };

type Props = {
  /** The row of the client. Undefined for a new client. */
  row: Cells | undefined;
  plans: readonly string[];
  onSend: (body: Action | Addition) => void;
};

/** Rotation has a view of its own, so that Enter in a field of the client never makes a password. */
export const ClientForms = ({ row, plans, onSend }: Props) => {
  const [isRotating, setRotating] = useState(false);
  const stored = (name: string) => row?.[name] ?? undefined;
  /** Sends a value only if it differs from the stored value. */
  const save = (event: FormEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const differing = (name: string, column: string) => {
      const value = String(form.get(name) ?? '')
        .replaceAll('\r\n', '\n')
        .trim();
      return value === String(stored(column) ?? '') ? undefined : value;
    };
    const filled = (name: string, column: string) => differing(name, column) || undefined;
    const hours = filled('silenceHours', 'SilenceHours');
    const values = {
      userName: filled('userName', 'UserName'),
      plan: filled('plan', 'Plan'),
      silenceHours: hours === undefined ? undefined : Number(hours),
      share: form.has('share'),
      // An empty text removes a value.
      displayName: differing('displayName', 'DisplayName'),
      language: differing('language', 'Language'),
      contact: differing('contact', 'Contact'),
    };
    onSend(row ? { action: 'set', ...values } : { name: String(form.get('name')).trim(), ...values });
  };
  const userName = (
    <Field label={row ? 'User name' : 'User name (if empty: the name above)'}>
      <input name="userName" maxLength={128} autocomplete="off" defaultValue={stored('UserName')} />
    </Field>
  );
  // A damaged client has no row with values to change.
  const isDamaged = row && !row['State'];
  if (row && isRotating) return <Rotation row={row} onSend={onSend} />;
  return (
    <>
      <form onSubmit={save} hidden={isDamaged}>
        <div class="flow bar">
          {!row && (
            <Field label='Client: letters, digits, ".", "_" and "-"'>
              <input name="name" required maxLength={64} autocomplete="off" />
            </Field>
          )}
          {!row && userName}
          <Hours
            name="silenceHours"
            label="Late after this many hours without a batch (0: never late)"
            value={stored('SilenceHours')}
          />
          {row && userName}
          <DetailFields row={row} />
        </div>
        <details class="small">
          <summary>Limits</summary>
          <div class="flow bar">
            <Field label="Plan">
              <select name="plan">
                {[...new Set([...plans, String(stored('Plan') ?? plans[0])])].map((name) => (
                  <option key={name} selected={name === (stored('Plan') ?? plans[0])}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
            <label>
              <input name="share" type="checkbox" /> Share a slot if none is free
            </label>
            {row && <span>The slot is {stored('Slot')}.</span>}
          </div>
        </details>
        <button type="submit" class="primary">
          {row ? 'Save' : 'Add the client'}
        </button>
      </form>
      {row && <OtherActions row={row} onSend={onSend} onRotate={() => setRotating(true)} />}
    </>
  );
};

const LANGUAGES = { en: 'English', de: 'German', ru: 'Russian' };

/** What people need to write to the warehouse. */
export const DetailFields = ({ row }: Pick<Props, 'row'>) => (
  <>
    <Field label="Display name: the warehouse's name for people">
      <input
        name="displayName"
        maxLength={100}
        autocomplete="off"
        defaultValue={row?.['DisplayName'] ?? ''}
      />
    </Field>
    <Field label="Language of messages">
      <select name="language">
        <option value="" selected={!row?.['Language']} />
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <option key={language} value={language} selected={row?.['Language'] === language}>
            {name}
          </option>
        ))}
      </select>
    </Field>
    <Field label="Contact: people, addresses, telephone" isWide>
      <textarea name="contact" rows={3} maxLength={500} defaultValue={String(row?.['Contact'] ?? '')} />
    </Field>
  </>
);

type ActionProps = Pick<Props, 'onSend'> & { row: Cells };

const OtherActions = ({ row, onSend, onRotate }: ActionProps & { onRotate: () => void }) => {
  const { State: state } = row;
  return (
    <div class="flow bar card">
      <button type="button" onClick={onRotate}>
        New password…
      </button>
      {state !== 'locked' && (
        <button type="button" onClick={() => onSend({ action: 'lock' })}>
          Lock
        </button>
      )}
      {(state === 'locked' || !state) && (
        <button type="button" onClick={() => onSend({ action: 'unlock' })}>
          Unlock
        </button>
      )}
      <button type="button" onClick={() => onSend({ action: 'remove' })}>
        Remove
      </button>
    </div>
  );
};

const focusFirst = (form: HTMLFormElement | null) => form?.querySelector('input')?.select();

const Rotation = ({ row, onSend }: ActionProps) => {
  const rotate = (event: FormEvent) => {
    event.preventDefault();
    const overlapHours = Number(new FormData(event.currentTarget).get('overlapHours'));
    onSend({ action: 'rotate', overlapHours, isAgain: event.submitter?.dataset['again'] === 'true' });
  };
  return (
    <form ref={focusFirst} class="flow bar" onSubmit={rotate}>
      <Hours
        name="overlapHours"
        label={'Hours that the current password stays valid after you press "New password"'}
      />
      <button type="submit">New password</button>
      {row['PreviousUntil'] && (
        <button type="submit" data-again="true">
          Replace a lost password
        </button>
      )}
    </form>
  );
};

type HoursProps = { name: string; label: string; value?: string | number | undefined };

const Hours = ({ name, label, value = 24 }: HoursProps) => (
  <Field label={label}>
    <input name={name} type="number" required min={0} max={MAX_SILENCE_HOURS} defaultValue={value} />
  </Field>
);
