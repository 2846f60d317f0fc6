import { useReducer, useState } from 'preact/hooks';
import { type CatalogName, catalogNames, tables } from '../../../../shared/tables.ts';
import { counted } from '../../../cli/words.ts';
import type { ListTable, Written } from '../../api.ts';
import type { PageProps } from '../app.tsx';
import { Search, Waiting } from '../components/controls.tsx';
import { Download } from '../components/download.tsx';
import { hrefTo, replaceQuery } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useAnswer } from '../use-answer.ts';
import { draftOf } from './lists-draft.ts';
import { Review } from './lists-review.tsx';
import { EditableTable } from './lists-table.tsx';

const titleOf = (name: CatalogName) =>
  tables[name].catalog.title.replace(/^./, (letter) => letter.toUpperCase());
const commandOf = (name: CatalogName) => tables[name].catalog.command;

export const ListsPage = ({ route: { parts, query } }: PageProps) => {
  const shown = catalogNames.find((name) => commandOf(name) === parts[0]) ?? catalogNames[0];
  return (
    <>
      <nav class="chips" aria-label="Lists">
        {catalogNames.map((name) => (
          <a
            key={name}
            class="chip"
            href={hrefTo('lists', [commandOf(name)])}
            aria-current={name === shown ? 'page' : undefined}
          >
            {titleOf(name)}
          </a>
        ))}
      </nav>
      {shown && <ListView key={shown} name={shown} words={query.get('q') ?? ''} />}
    </>
  );
};

const ListView = ({ name, words }: { name: CatalogName; words: string }) => {
  const keyName = tables[name].partitionKey;
  const list = commandOf(name);
  const { answer: table, failure, refresh } = useAnswer<ListTable>(`lists/${list}`);
  const [reviewed, setReviewed] = useState<{ file: File | undefined }>();
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const draft = draftOf(list);
  const addRow = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const identifier = String(new FormData(event.currentTarget).get('identifier')).trim();
    if (!draft.has(identifier)) draft.set(identifier, { kind: 'added', identifier, cells: [] });
    event.currentTarget.reset();
    document.querySelector('main .scroll')?.scrollTo({ top: 0 });
    redraw();
  };
  const settle = ({ conflicts }: Written) => {
    const isKept = (identifier: string) => reviewed?.file || conflicts.includes(identifier);
    for (const identifier of draft.keys()) if (!isKept(identifier)) draft.delete(identifier);
    refresh();
  };
  const close = () => {
    setReviewed(undefined);
    // If nothing is left to review, the button that opened the dialog no longer exists.
    if (!reviewed?.file && draft.size === 0) document.querySelector('h1')?.focus();
  };
  return (
    <>
      <Waiting answer={table} failure={failure} refresh={refresh} />
      <div class="flow bar">
        <Search
          label="Search"
          placeholder={`${keyName} or an attribute`}
          value={words}
          onInput={(q) => replaceQuery({ q })}
        />
        {!isReadOnly && (
          <>
            <form class="flow bar" onSubmit={addRow}>
              <label class="choice">
                <span class="soft small">{keyName} of a new row</span>
                <input name="identifier" required autocomplete="off" size={12} />
              </label>
              <button type="submit">Add a row</button>
            </form>
            <label class="field">
              <span class="soft small">Import a file (it may add columns): choose it or drop it here</span>
              <input
                type="file"
                accept=".csv,.json,.xlsx"
                onChange={({ currentTarget }) => {
                  setReviewed({ file: currentTarget.files?.[0] });
                  currentTarget.value = '';
                }}
              />
            </label>
          </>
        )}
      </div>
      {table && <EditableTable {...{ keyName, table, words, draft }} name={titleOf(name)} onEdit={redraw} />}
      <Download what="this list" path={['lists', name]} />
      {draft.size > 0 && (
        <section class="flow bar card pending" aria-label="Changes that are not written yet">
          <p role="status">Not written yet: changes to {counted(draft.size, 'row')}</p>
          <button type="button" class="primary" onClick={() => setReviewed({ file: undefined })}>
            Review
          </button>
        </section>
      )}
      {reviewed && <Review {...{ list, keyName, draft, ...reviewed }} onWritten={settle} onClose={close} />}
    </>
  );
};
