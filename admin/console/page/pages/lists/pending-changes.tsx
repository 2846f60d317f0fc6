import { useEffect } from 'preact/hooks';
import { joinFirstNames } from '../../../../text/words.ts';
import { countOf } from '../../format.ts';
import { hrefTo } from '../../route.ts';
import { isUndecided, kindOf, nameOf, wrongFirst } from './draft.ts';
import type { Editing } from './use-editing.ts';

const LISTED_ROWS = 100;

/** Leads to the first number on the page that has two readings, or else to its row. */
const leadToNumber = (row: string) => {
  const choice = document.querySelector<HTMLElement>('td fieldset button');
  if (choice) choice.focus();
  else location.hash = row;
};

type Props = { editing: Editing; onReview: () => void };

/** Also in a keyboard layout without Latin letters. */
const isSave = ({ key, code, ctrlKey, metaKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && (key.toLowerCase() === 's' || (code === 'KeyS' && !/^[a-z]$/i.test(key)));

/** The changes that are not written yet. Ctrl+S reviews them from everywhere on the page, or leads to a number to choose. */
export const PendingChanges = ({ editing, onReview }: Props) => {
  const { command, draft, issues, onEdit } = editing;
  const rows = wrongFirst(editing);
  const undecided = rows.filter(isUndecided).map(nameOf);
  const wrong = rows.slice(0, issues.size).map(nameOf);
  const listed = rows.slice(0, LISTED_ROWS);
  const canReview = rows.length > 0 && undecided.length === 0;
  useEffect(() => {
    const review = (event: KeyboardEvent) => {
      if (!isSave(event)) return;
      event.preventDefault();
      if (document.querySelector('dialog')) return;
      if (canReview) onReview();
      else if (undecided[0]) leadToNumber(hrefTo('lists', [command], { search: undecided[0] }));
    };
    addEventListener('keydown', review);
    return () => removeEventListener('keydown', review);
  });
  if (rows.length === 0) return null;
  const discard = (identifier: string) => {
    draft.rows.delete(identifier);
    onEdit();
    // The pressed button disappears.
    document.querySelector<HTMLElement>('.pending summary')?.focus();
  };
  return (
    <section class="flow bar card pending" aria-label="Changes that are not written yet">
      <p role="status">
        Not written yet: changes to {countOf(rows.length, 'row')}
        {undecided.length > 0 && `. Choose which number is meant: ${joinFirstNames(undecided)}`}
        {wrong.length > 0 && `. Cannot be written: ${joinFirstNames(wrong)}`}
      </p>
      <details>
        <summary>Which rows?</summary>
        <ul class="findings">
          {listed.map((row) => (
            <li key={row.identifier}>
              <span class="mark">{kindOf(row)}</span>
              <a href={hrefTo('lists', [command], { search: nameOf(row) })}>{nameOf(row)}</a>
              {issues.get(row.identifier)}
              <button
                type="button"
                class="plain"
                aria-label={`Discard ${nameOf(row)}`}
                onClick={() => discard(row.identifier)}
              >
                Discard
              </button>
            </li>
          ))}
          {rows.length > listed.length && <li>and {countOf(rows.length - listed.length, 'row')} more</li>}
        </ul>
      </details>
      <button
        type="button"
        class="primary"
        aria-keyshortcuts="Control+S"
        disabled={!canReview}
        onClick={onReview}
      >
        Review
      </button>
    </section>
  );
};
