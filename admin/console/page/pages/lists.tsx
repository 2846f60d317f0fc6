import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { type CatalogName, catalogNames, tables } from '../../../../shared/tables.ts';
import { counted, grouped, joinNames } from '../../../cli/words.ts';
import type { ListColumn, Written } from '../../api.ts';
import type { PageProps } from '../app.tsx';
import { Dialog, Notice, Search } from '../components/controls.tsx';
import { hrefTo, replaceQuery } from '../route.ts';
import { isReadOnly } from '../source.ts';
import {
  addRow,
  countEdits,
  discardDraft,
  draftOf,
  editsOf,
  hasEdits,
  settleDraft,
  useList,
} from './lists-draft.ts';
import { describeCounts, Review, type Source } from './lists-review.tsx';
import { ListTableView } from './lists-table.tsx';
import { FileDrop, NewColumn } from './lists-tools.tsx';

export const ListsPage = ({ route: { parts, query } }: PageProps) => {
  const [list = commandOf(catalogNames[0])] = parts;
  const name = catalogNames.find((name) => commandOf(name) === list);
  return (
    <>
      <nav class="tabs" aria-label="Lists">
        {catalogNames.map((other) => (
          <a
            key={other}
            href={hrefTo('lists', [commandOf(other)])}
            aria-current={other === name ? 'page' : undefined}
          >
            {titleOf(other)}
          </a>
        ))}
      </nav>
      {name ? (
        <ListView key={list} name={name} words={query.get('q') ?? ''} />
      ) : (
        <p>There is no such list. Choose one above.</p>
      )}
    </>
  );
};

const commandOf = (name: CatalogName | undefined) => (name ? tables[name].catalog.command : '');
const titleOf = (name: CatalogName) => {
  const { title } = tables[name].catalog;
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
};

type Open = Source | 'column' | 'discard';

const ListView = ({ name, words }: { name: CatalogName; words: string }) => {
  const { partitionKey: keyName } = tables[name];
  const list = commandOf(name);
  const { table, failure, reload } = useList(list);
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const [open, setOpen] = useState<Open>();
  const [result, setResult] = useState<Written & { source: Source }>();
  const box = useRef<HTMLDivElement>(null);
  const draft = draftOf(list);
  if (!table)
    return failure === undefined ? <p role="status">Reading…</p> : <Failed {...{ failure, reload }} />;

  const has = ({ name }: ListColumn) => table.columns.some((column) => column.name === name);
  const columns = [...table.columns, ...draft.columns.filter((column) => !has(column))];
  const close = () => setOpen(undefined);
  const review = () => setOpen({ edits: editsOf(draft, columns) });
  const onWritten = (source: Source) => (written: Written) => {
    if ('edits' in source) settleDraft(draft, written.conflicts);
    setResult({ ...written, source });
    close();
    reload();
  };
  return (
    <div ref={box}>
      {failure !== undefined && <Failed {...{ failure, reload }} />}
      {result && (
        <Outcome
          written={result}
          onRepeat={() => ('edits' in result.source ? review() : setOpen(result.source))}
        />
      )}
      <div class="flow bar">
        <Search
          label="Search"
          placeholder={`${keyName} or any attribute`}
          value={words}
          onInput={(q) => replaceQuery({ q })}
        />
        {!isReadOnly && (
          <div class="tools">
            <button
              type="button"
              class="as-of"
              onClick={() => {
                addRow(draft);
                box.current?.querySelector('.scroll')?.scrollTo({ top: 0 });
                redraw();
              }}
            >
              Add a row
            </button>
            <button type="button" class="as-of" onClick={() => setOpen('column')}>
              Add a column
            </button>
            <FileDrop onFile={setOpen} />
          </div>
        )}
      </div>
      <ListTableView {...{ keyName, table, columns, draft, words }} name={titleOf(name)} onEdit={redraw} />
      {hasEdits(draft) && (
        <section class="pending" aria-label="Changes that are not written yet">
          <p role="status">{describeEdits(countEdits(draft))}</p>
          <button type="button" class="primary" onClick={review}>
            Review
          </button>
          <button type="button" class="plain" onClick={() => setOpen('discard')}>
            Discard
          </button>
        </section>
      )}
      {typeof open === 'object' && (
        <Review {...{ list, keyName }} source={open} onClose={close} onWritten={onWritten(open)} />
      )}
      {open === 'column' && (
        <NewColumn
          onClose={close}
          onAdd={(column) => {
            draft.columns.push(column);
            close();
          }}
        />
      )}
      {open === 'discard' && (
        <Dialog title="Discard these changes?" onClose={close}>
          <p>{describeEdits(countEdits(draft))}. None of it is written yet, and it cannot be brought back.</p>
          <form method="dialog" class="buttons">
            <button type="submit" class="primary" onClick={() => discardDraft(list)}>
              Discard
            </button>
            <button type="submit" class="as-of">
              Keep
            </button>
          </form>
        </Dialog>
      )}
    </div>
  );
};

const Failed = ({ failure, reload }: { failure: string; reload: () => void }) => (
  <Notice kind="error">
    {failure}{' '}
    <button type="button" class="plain" onClick={reload}>
      Try again
    </button>
  </Notice>
);

const describeEdits = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${grouped(count)} ${kind}`)
    .join(', ');

const MOST_NAMES = 20;

/** What was written, and what was not. It has the focus, because the dialog is gone. */
const Outcome = ({ written, onRepeat }: { written: Written; onRepeat: () => void }) => {
  const { conflicts } = written;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [written]);
  const others = conflicts.length - MOST_NAMES;
  const names = [...conflicts.slice(0, MOST_NAMES), ...(others > 0 ? [`${grouped(others)} more`] : [])];
  return (
    <div ref={box} tabIndex={-1} class="outcome" role="status">
      <p class="notice fine">{describeCounts(written)}</p>
      {conflicts.length > 0 && (
        <Notice>
          {counted(conflicts.length, 'row')} not written, because somebody else has changed them meanwhile:{' '}
          {joinNames(names)}. The list shows what they hold now. Your changes to them are kept until you{' '}
          <button type="button" class="plain" onClick={onRepeat}>
            review them again
          </button>
          .
        </Notice>
      )}
    </div>
  );
};
