import { useEffect, useId, useRef } from 'preact/hooks';
import { formatNumber } from '../../format.ts';
import { type Block, takeBlock } from './block.ts';
import { moveField } from './moves.ts';
import { readingsOf, toTyped } from './typed-values.ts';

type Props = {
  label: string;
  typed: string;
  /** The text to write. Undefined until the admin chooses one of the readings of `typed`. */
  text?: string | undefined;
  stored: string;
  /** Why the text cannot be written. */
  issue?: string | undefined;
  /** Asked once. */
  takesFocus?: () => boolean;
  onInput: (typed: string, text?: string) => void;
  onBlock: (block: Block) => void;
};

type Press = KeyboardEvent & { currentTarget: HTMLTextAreaElement };

/** Escape restores the stored text. Alt+Enter and Ctrl+Enter start a new line. F2 sets the cursor into the text. */
const pressKey = (event: Press, stored: string, onInput: Props['onInput']) => {
  const { key, currentTarget: field } = event;
  const isNewLine = key === 'Enter' && (event.altKey || event.ctrlKey);
  if (key === 'Escape') onInput(stored);
  if (key === 'F2') field.setSelectionRange(field.value.length, field.value.length);
  if (isNewLine) {
    field.setRangeText('\n', field.selectionStart, field.selectionEnd, 'end');
    onInput(field.value);
  }
  if (isNewLine || moveField(event)) event.preventDefault();
};

export const EditableCell = ({ label, typed, stored, issue, onInput, onBlock, ...props }: Props) => {
  const issueId = useId();
  const isUndecided = 'text' in props && props.text === undefined;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (props.takesFocus?.()) field.current?.focus();
  }, []);
  return (
    <>
      <textarea
        ref={field}
        class={typed === stored ? 'cell' : 'cell touched'}
        aria-label={label}
        aria-invalid={issue !== undefined}
        aria-describedby={issue && issueId}
        rows={1}
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={(event) => !event.isComposing && pressKey(event, stored, onInput)}
        onPaste={takeBlock(onBlock)}
      />
      {issue !== undefined && (
        <p id={issueId} class="small below">
          {issue}
        </p>
      )}
      {isUndecided && (
        <fieldset class="flow chips">
          <legend class="small">Which number is {typed}?</legend>
          {readingsOf(typed).map((digits) => (
            <button
              key={digits}
              type="button"
              class="chip"
              aria-label={`${label} is ${formatNumber(digits)}`}
              onClick={({ currentTarget }) => {
                onInput(toTyped(digits, 'number'), digits);
                // The buttons disappear.
                currentTarget.closest('td')?.querySelector('textarea')?.focus();
              }}
            >
              {formatNumber(digits)}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
};
