import { MAX_SILENCE_HOURS } from '../../../../shared/limits.ts';
import type { Action, Addition } from '../../edits/client-requests.ts';
import { Field } from '../components/controls.tsx';
import type { ReadCell } from '../use-stock.ts';

type FormEvent = SubmitEvent & { currentTarget: HTMLFormElement };

type Props = {
  /** Reads a cell in the row of the client. Undefined for a new client. */
  readCell: ReadCell | undefined;
  plans: readonly string[];
  onSend: (body: Action | Addition) => void;
};

export const ClientForms = ({ readCell, plans, onSend }: Props) => {
  const stored = (name: string) => readCell?.(name) ?? undefined;
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
    };
    onSend(readCell ? { action: 'set', ...values } : { name: changed('name', 'Client') ?? '', ...values });
  };
  const userName = (
    <Field label={readCell ? 'User name' : 'User name (if empty: the name above)'}>
      <input name="userName" maxLength={128} autocomplete="off" defaultValue={stored('UserName')} />
    </Field>
  );
  // A damaged client has no row with values to change.
  const isDamaged = readCell?.('State') === null;
  return (
    <>
      <form onSubmit={save} hidden={isDamaged}>
        <div class="flow bar">
          {!readCell && (
            <Field label='Client: letters, digits, ".", "_" and "-"'>
              <input name="name" required maxLength={64} autocomplete="off" />
            </Field>
          )}
          {!readCell && userName}
          <Hours
            name="silenceHours"
            label="Late after this many hours without a batch (0: never late)"
            value={stored('SilenceHours')}
          />
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
          {readCell && userName}
          <button type="submit" class="primary">
            {readCell ? 'Save' : 'Add the client'}
          </button>
        </div>
      </form>
      {readCell && <Rotation readCell={readCell} onSend={onSend} />}
    </>
  );
};

const Rotation = ({ readCell, onSend }: Pick<Props, 'onSend'> & { readCell: ReadCell }) => {
  const state = readCell('State');
  const rotate = (event: FormEvent) => {
    event.preventDefault();
    const overlapHours = Number(new FormData(event.currentTarget).get('overlapHours'));
    onSend({ action: 'rotate', overlapHours, isAgain: event.submitter?.dataset['again'] === 'true' });
  };
  return (
    <form class="flow bar card" onSubmit={rotate}>
      <Hours
        name="overlapHours"
        label={'Hours that the current password stays valid after you press "New password"'}
      />
      <button type="submit">New password</button>
      {readCell('PreviousUntil') !== null && (
        <button type="submit" data-again="true">
          Replace a lost password
        </button>
      )}
      {state !== 'locked' && (
        <button type="button" onClick={() => onSend({ action: 'lock' })}>
          Lock
        </button>
      )}
      {(state === 'locked' || state === null) && (
        <button type="button" onClick={() => onSend({ action: 'unlock' })}>
          Unlock
        </button>
      )}
      <button type="button" onClick={() => onSend({ action: 'remove' })}>
        Remove
      </button>
    </form>
  );
};

type HoursProps = { name: string; label: string; value?: string | number | undefined };

const Hours = ({ name, label, value = 24 }: HoursProps) => (
  <Field label={label}>
    <input name={name} type="number" required min={0} max={MAX_SILENCE_HOURS} defaultValue={value} />
  </Field>
);
