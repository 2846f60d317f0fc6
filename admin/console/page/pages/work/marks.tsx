import { useState } from 'preact/hooks';
import { DAY_MS } from '../../../../../shared/time.ts';
import { Dialog, Field, Notice, Person } from '../../components/controls.tsx';
import { formatDate, formatDay, formatMoment } from '../../format.ts';
import { post } from '../../source.ts';
import { useWork } from '../../use-response.ts';
import { useStock } from '../../use-stock.ts';
import type { Concern } from './cards.tsx';

type Props = { scope: string; concern: Concern; sentence: string };
type MarkName = 'told' | 'known';

/** Marks concerns, up to one that somebody else has marked meanwhile. Then asks for the stock at once. */
export const useMark = (scope: string, concerns: readonly Pick<Concern, 'kind' | 'version'>[]) => {
  const { refresh } = useStock();
  const { run, ...work } = useWork<void>();
  const write = (mark: MarkName | 'undo', more: object = {}, onWritten = () => {}) =>
    run(async () => {
      try {
        for (const { kind, version } of concerns) await post('told', { scope, kind, mark, version, ...more });
      } finally {
        refresh();
      }
      onWritten();
    });
  return { write, ...work };
};

/** Buttons to hide an open concern, or to show a hidden one again. */
export const MarkButtons = (props: Props) => {
  const [asked, setAsked] = useState<MarkName>();
  const { write, failure, isBusy } = useMark(props.scope, [props.concern]);
  if (props.concern.state !== 'open')
    return (
      <>
        <button type="button" class="plain small" disabled={isBusy} onClick={() => write('undo')}>
          Undo
        </button>
        {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      </>
    );
  return (
    <>
      <button type="button" class="plain small" onClick={() => setAsked('told')}>
        Told
      </button>
      <button type="button" class="plain small" onClick={() => setAsked('known')}>
        Known until…
      </button>
      {asked && <MarkDialog {...props} mark={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
};

type DialogProps = Props & { mark: MarkName; onClose: () => void };

const MarkDialog = ({ scope, concern, mark, sentence, onClose }: DialogProps) => {
  const { write, failure, isBusy } = useMark(scope, [concern]);
  const isKnown = mark === 'known';
  const save = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const until = isKnown && { until: new Date(`${form.get('until')}T00:00`).toISOString() };
    write(mark, { note: String(form.get('note')).trim(), ...until }, onClose);
  };
  return (
    <Dialog title={isKnown ? 'Known until' : 'Told'} {...{ isBusy, onClose }}>
      <p>{sentence}.</p>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <form id="mark" onSubmit={save}>
        <fieldset class="flow" disabled={isBusy}>
          {isKnown && (
            <Field label="Until the beginning of">
              <input
                type="date"
                name="until"
                required
                min={formatDay(Date.now() + DAY_MS)}
                max="9999-12-31"
              />
            </Field>
          )}
          <Field label="Note for the other admins" isWide>
            <input name="note" maxLength={500} autocomplete="off" />
          </Field>
        </fieldset>
      </form>
      <form method="dialog" class="flow chips">
        <button type="submit" form="mark" class="primary" disabled={isBusy}>
          {isKnown ? 'Hide it until then' : 'Hide it as told'}
        </button>
        <button type="submit" disabled={isBusy}>
          Cancel
        </button>
      </form>
    </Dialog>
  );
};

/** Who marked a concern, when and why. */
export const MarkWords = ({ concern: { mark, state } }: { concern: Concern }) => {
  const { asOf } = useStock();
  if (!mark) return null;
  const { until, by, at, note } = mark;
  return (
    <span class="soft small">
      {until === null ? 'Told' : `Known until ${formatDate(until)}, marked`} {formatMoment(at, asOf)} by{' '}
      <Person by={by} />
      {note && `: ${note}`}
      {state === 'open' && '. This is newer or worse'}
    </span>
  );
};

/** `3 told, 1 known until 5 Dec`. */
export const countHidden = (concerns: readonly Concern[]) => {
  const told = concerns.filter(({ state }) => state === 'told').length;
  const known = concerns.flatMap(({ state, mark }) => (state === 'known' ? (mark?.until ?? 0) : []));
  const days = Map.groupBy(
    known.toSorted((one, other) => one - other),
    formatDate,
  );
  return [
    ...(told > 0 ? [`${told} told`] : []),
    ...[...days].map(([day, { length }]) => `${length} known until ${day}`),
  ].join(', ');
};
