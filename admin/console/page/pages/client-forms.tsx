import { useState } from 'preact/hooks';
import { MAX_SILENCE_HOURS } from '../../../../shared/limits.ts';
import type { Action, Addition } from '../../edits/client-requests.ts';
import { Field } from '../components/controls.tsx';
import type { Cells } from '../use-stock.ts';
import { DetailFields, readDetails } from './client-details.tsx';

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
    const changed = (name: string, column: string) => {
      const value = String(form.get(name) ?? '').trim();
      return value === '' || value === String(stored(column) ?? '') ? undefined : value;
    };
    const hours = changed('silenceHours', 'SilenceHours');
    const values = {
      userName: changed('userName', 'UserName'),
      plan: changed('plan', 'Plan'),
      silenceHours: hours === undefined ? undefined : Number(hours),
      share: form.has('share'),
      ...readDetails(form, row),
    };
    onSend(row ? { action: 'set', ...values } : { name: changed('name', 'Client') ?? '', ...values });
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
