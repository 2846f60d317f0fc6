import { useEffect } from 'preact/hooks';
import { joinFirstNames } from '../../../../text/words.ts';
import { countOf } from '../../format.ts';
import { hrefTo } from '../../route.ts';
import { type Draft, type DraftRow, isUndecided, nameOf, rowsOf } from './draft.ts';

type Props = {
  command: string;
  draft: Draft;
  issues: ReadonlyMap<string, string>;
  onDiscard: () => void;
  onReview: () => void;
};

const LISTED_ROWS = 100;

/** Also in a keyboard layout without Latin letters. */
const isSave = ({ key, code, ctrlKey, metaKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && (key.toLowerCase() === 's' || (code === 'KeyS' && !/^[a-z]$/i.test(key)));

/** The changes that are not written yet. Ctrl+S reviews them from everywhere on the page. */
export const PendingChanges = ({ command, draft, issues, onDiscard, onReview }: Props) => {
  const rows = rowsOf(draft);
  const isWrong = ({ identifier }: DraftRow) => issues.has(identifier);
  const undecided = rows.filter(isUndecided).map(nameOf);
  const wrong = rows.filter(isWrong).map(nameOf);
  const listed = [...rows.filter(isWrong), ...rows.filter((row) => !isWrong(row))].slice(0, LISTED_ROWS);
  const canReview = rows.length > 0 && undecided.length === 0;
  useEffect(() => {
    const review = (event: KeyboardEvent) => {
      if (!isSave(event)) return;
      event.preventDefault();
      if (canReview && !document.querySelector('dialog')) onReview();
    };
    addEventListener('keydown', review);
    return () => removeEventListener('keydown', review);
  });
  if (rows.length === 0) return null;
  const discard = (identifier: string) => {
    draft.rows.delete(identifier);
    onDiscard();
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
              <span class="mark">
                {row.kind === 'changed' && row.to !== undefined ? 'renamed' : row.kind}
              </span>
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
