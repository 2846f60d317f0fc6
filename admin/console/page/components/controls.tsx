import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatAge } from '../../../text/time.ts';
import { formatSecond, formatTime } from '../format.ts';
import { useStock } from '../use-stock.ts';

type FieldProps = { label: ComponentChildren; isWide?: boolean; children: ComponentChildren };

/** A control below its label. */
export const Field = ({ label, isWide = false, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child.
  <label class={isWide ? 'field' : 'choice'}>
    <span class="soft small">{label}</span>
    {children}
  </label>
);

type ChoiceProps = {
  label: string;
  /** The text that stands for no value, such as `All warehouses`. */
  noValue: string;
  values: readonly string[];
  value: string;
  nameOf?: (value: string) => string;
  onChange: (value: string) => void;
};

/** Also offers the chosen value if `values` lacks it. No choice moves a value, so the arrow keys reach all values. */
export const Choice = ({ label, noValue, values, value, nameOf = (name) => name, onChange }: ChoiceProps) => (
  <Field label={label}>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{noValue}</option>
      {[...new Set([...values, ...(value ? [value] : [])])].map((name) => (
        <option key={name} value={name}>
          {nameOf(name)}
        </option>
      ))}
    </select>
  </Field>
);

type ChipProps = { isPressed: boolean; onClick: () => void; children: ComponentChildren };

export const Chip = ({ isPressed, onClick, children }: ChipProps) => (
  <button type="button" class="chip" aria-pressed={isPressed} onClick={onClick}>
    {children}
  </button>
);

export const Notice = ({ kind = 'note', children }: { kind?: string; children: ComponentChildren }) => (
  <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </p>
);

type WaitingProps = { response: unknown; failure: string | undefined; refresh: () => void };

/** Says that the first response is not here yet, or why a request failed. */
export const Waiting = ({ response, failure, refresh }: WaitingProps) => {
  if (failure === undefined) return response === undefined ? <p role="status">Reading…</p> : null;
  return (
    <Notice kind="error">
      {failure}{' '}
      <button type="button" class="plain" onClick={refresh}>
        Try again
      </button>
    </Notice>
  );
};

/** A time in the zone of the browser. */
export const When = ({ at, format = formatTime }: { at: number; format?: typeof formatTime }) => (
  <time dateTime={new Date(at).toISOString()} title={formatSecond(at)}>
    {format(at)}
  </time>
);

/** The age at the moment that the page shows. All ages on a page use this moment. */
export const Age = ({ at }: { at: number }) => (
  <span class="age">{formatAge(new Date(at), new Date(useStock().asOf))} ago</span>
);

/** The name of a person or of a session is the last part of the ARN. */
export const Person = ({ by }: { by: string }) => <span title={by}>{by.split(/[/:]/).at(-1)}</span>;

type DialogProps = { title: string; isBusy?: boolean; onClose: () => void; children: ComponentChildren };

/** Escape and submit buttons close a dialog that is not busy. The browser then returns the focus to where it was before. */
export const Dialog = ({ title, isBusy = false, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // What is typed now replaces the value, as after the tab key.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
  }, []);
  useEffect(() => {
    const heading = dialog.current?.querySelector('h2');
    if (!isBusy || !heading) return;
    // The controls are disabled now, and lose the focus. A dialog opens with the focus on its first control.
    heading.tabIndex = -1;
    heading.focus();
  }, [isBusy]);
  const onCancel = (event: Event) => isBusy && event.preventDefault();
  // Chromium does not let `onCancel` keep a dialog open when Escape is pressed again.
  const closedby = isBusy ? 'none' : 'closerequest';
  return (
    <dialog ref={dialog} aria-label={title} {...{ closedby, onCancel, onClose }}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
};
