import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { type CatalogName, catalogNames, tables } from '../../../../shared/tables.ts';
import { counted, grouped, joinFirstNames } from '../../../cli/words.ts';
import type { ListTable, Written } from '../../api.ts';
import type { PageProps } from '../app.tsx';
import { Dialog, Notice, Search } from '../components/controls.tsx';
import type { Sort } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { hrefTo, replaceQuery } from '../route.ts';
import { isReadOnly } from '../source.ts';
import { useAnswer } from '../use-answer.ts';
import { addRow, type Draft, discardDraft, draftOf, settleDraft, toRowEdits } from './lists-draft.ts';
import { describeCounts, Review, type Source } from './lists-review.tsx';
import { EditableTable, useRows } from './lists-table.tsx';
import { FileDrop, NewColumn } from './lists-tools.tsx';

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
  const { partitionKey: keyName, catalog } = tables[name];
  const list = catalog.command;
  const { answer: table, failure, refresh } = useAnswer<ListTable>(`lists/${list}`);
  const [sort, setSort] = useState<Sort>();
  const rows = useRows(table, sort, words);
  const [open, setOpen] = useState<Source | 'column' | 'discard'>();
  const [result, setResult] = useState<{ written: Written; source: Source }>();
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const box = useRef<HTMLDivElement>(null);
  const draft = draftOf(list);
  const known = new Set(table?.columns.map(({ name }) => name));
  const columns = [...(table?.columns ?? []), ...draft.columns.filter(({ name }) => !known.has(name))];
  const close = () => setOpen(undefined);
  const review = () => setOpen({ edits: toRowEdits(draft, columns) });
  const finish = (source: Source, written: Written) => {
    if ('edits' in source) settleDraft(draft, written.conflicts);
    setResult({ written, source });
    close();
    refresh();
  };
  const addOnTop = () => {
    addRow(draft);
    box.current?.querySelector('.scroll')?.scrollTo({ top: 0 });
    redraw();
  };
  return (
    <div ref={box}>
      {failure !== undefined && (
        <Notice kind="error">
          {failure}{' '}
          <button type="button" class="plain" onClick={refresh}>
            Try again
          </button>
        </Notice>
      )}
      {result && (
        <Outcome
          written={result.written}
          onRepeat={() => ('edits' in result.source ? review() : setOpen(result.source))}
        />
      )}
      <div class="flow bar">
        <Search
          label="Search"
          placeholder={`${keyName} or an attribute`}
          value={words}
          onInput={(q) => replaceQuery({ q })}
        />
        {!isReadOnly && (
          <div class="chips">
            <button type="button" class="as-of" onClick={addOnTop}>
              Add a row
            </button>
            <button type="button" class="as-of" onClick={() => setOpen('column')}>
              Add a column
            </button>
            <FileDrop onFile={setOpen} />
          </div>
        )}
      </div>
      <p class="soft small" role="status">
        {table ? `${grouped(rows.length)} of ${counted(table.rows.length, 'row')}` : 'Reading…'}
      </p>
      {table && (
        <EditableTable
          {...{ keyName, columns, rows, draft, sort }}
          name={titleOf(name)}
          onSort={setSort}
          onEdit={redraw}
        />
      )}
      <Download what="this list" path={['lists', name]} />
      {draft.edits.size > 0 && (
        <Pending draft={draft} onReview={review} onDiscard={() => setOpen('discard')} />
      )}
      {typeof open === 'object' && (
        <Review
          {...{ list, keyName }}
          source={open}
          onClose={close}
          onWritten={(written) => finish(open, written)}
        />
      )}
      {open === 'column' && <NewColumn onClose={close} onAdd={(column) => draft.columns.push(column)} />}
      {open === 'discard' && (
        <Dialog title="Discard these changes?" onClose={close}>
          <p>They are not written yet, and cannot be brought back.</p>
          <form method="dialog" class="chips" onSubmit={() => discardDraft(list)}>
            <button type="submit" class="primary">
              Discard
            </button>
            <button type="button" class="as-of" onClick={close}>
              Keep
            </button>
          </form>
        </Dialog>
      )}
    </div>
  );
};

type PendingProps = { draft: Draft; onReview: () => void; onDiscard: () => void };

const Pending = ({ draft, onReview, onDiscard }: PendingProps) => {
  const kinds = [...draft.edits.values()].map(({ kind }) => kind);
  const count = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
  return (
    <section class="pending" aria-label="Changes that are not written yet">
      <p role="status">
        Not written yet:{' '}
        {describeCounts({ added: count('added'), changed: count('changed'), removed: count('removed') })}
      </p>
      <button type="button" class="primary" onClick={onReview}>
        Review
      </button>
      <button type="button" class="plain" onClick={onDiscard}>
        Discard
      </button>
    </section>
  );
};

/** What was written, and what was not. It gets the focus, because the dialog is gone. */
const Outcome = ({ written, onRepeat }: { written: Written; onRepeat: () => void }) => {
  const { conflicts } = written;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [written]);
  return (
    <div ref={box} tabIndex={-1} class="outcome" role="status">
      <p class="notice fine">{describeCounts(written)}</p>
      {conflicts.length > 0 && (
        <Notice>
          Somebody else has changed {joinFirstNames(conflicts)} meanwhile. That stays, and your changes to{' '}
          {counted(conflicts.length, 'row')} are not written.{' '}
          <button type="button" class="plain" onClick={onRepeat}>
            Review them again
          </button>
        </Notice>
      )}
    </div>
  );
};
