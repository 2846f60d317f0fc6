import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListColumn, ListTable } from '../../api.ts';
import { type Column, DataTable, type Sort } from '../components/data-table.tsx';
import { compare, fold, matcher } from '../model.ts';
import { isReadOnly } from '../source.ts';
import { type Draft, draftText, type ListRow, setText, toggleRow } from './lists-draft.ts';

type Props = {
  name: string;
  keyName: string;
  table: ListTable;
  columns: readonly ListColumn[];
  draft: Draft;
  words: string;
  onEdit: () => void;
};

/** A list whose cells become fields. Added rows come first, whatever is searched. */
export const ListTableView = ({ name, keyName, table, columns, draft, words, onEdit }: Props) => {
  const [sort, setSort] = useState<Sort>();
  const stored = useStoredRows(table, sort, words);
  const additions = draft.additions.map(
    (addition): ListRow => ({ identifier: addition.identifier, cells: [], addition }),
  );
  const rows = {
    length: additions.length + stored.length,
    at: (index: number) => additions[index] ?? stored[index - additions.length],
  };
  const cellOf = (column: ListColumn, index: number) => (row: ListRow) => {
    const before = row.cells[index] ?? '';
    const text = draftText(draft, row, column.name);
    if (isReadOnly || draft.removed.has(row.identifier)) return before;
    return (
      <Field
        key={keyOf(row)}
        label={`${column.name} of ${row.identifier || 'the new row'}`}
        text={text ?? before}
        isChanged={text !== undefined && !row.addition}
        onInput={(next) => {
          setText(draft, row, column.name, next, before);
          onEdit();
        }}
      />
    );
  };
  const keyColumn: Column<ListRow> = {
    title: keyName,
    kind: 'head',
    sort: KEY,
    cell: ({ identifier, addition }) =>
      addition ? (
        <Field
          key={addition.id}
          label={`${keyName} of the new row`}
          text={identifier}
          startsOpen={identifier === ''}
          onInput={(next) => {
            addition.identifier = next.trim();
            onEdit();
          }}
        />
      ) : (
        identifier
      ),
  };
  const removeColumn: Column<ListRow> = {
    title: 'Row',
    kind: 'word',
    cell: (row) => (
      <button
        type="button"
        class="plain"
        aria-label={`${verbFor(draft, row)} ${row.identifier || 'the new row'}`}
        onClick={() => {
          toggleRow(draft, row);
          onEdit();
        }}
      >
        {verbFor(draft, row)}
      </button>
    ),
  };
  return (
    <DataTable
      caption={name}
      columns={[
        keyColumn,
        ...columns.map((column, index): Column<ListRow> => {
          const alignment = column.kind === 'number' ? { kind: column.kind } : {};
          return { title: column.name, sort: `=${column.name}`, cell: cellOf(column, index), ...alignment };
        }),
        ...(isReadOnly ? [] : [removeColumn]),
      ]}
      rows={rows}
      {...(sort ? { sort } : {})}
      onSort={setSort}
      classOf={({ identifier, addition }) => {
        if (addition) return 'added';
        return draft.removed.has(identifier) ? 'removed' : '';
      }}
    />
  );
};

const KEY = 'key';
const keyOf = ({ identifier, addition }: ListRow) => addition?.id ?? `=${identifier}`;
const verbFor = ({ removed }: Draft, { identifier }: ListRow) =>
  removed.has(identifier) ? 'Restore' : 'Remove';

/** The rows of the list that have all words, in the wanted order. */
export const useStoredRows = ({ columns, rows }: ListTable, sort: Sort | undefined, words: string) => {
  const texts = useMemo(
    () => rows.map(({ identifier, cells }) => fold([identifier, ...cells].join(' '))),
    [rows],
  );
  const order = useMemo(() => {
    const indexes = rows.map((_, index) => index);
    if (!sort) return indexes;
    const column = columns.findIndex(({ name }) => sort.by === `=${name}`);
    const values = rows.map(({ identifier, cells }) =>
      sort.by === KEY ? identifier : (cells[column] ?? ''),
    );
    const isNumber = columns[column]?.kind === 'number';
    const direction = sort.isDescending ? -1 : 1;
    return indexes.sort((one, other) => {
      const [a = '', b = ''] = [values[one], values[other]];
      // A row without a value comes last in both directions.
      if (a === '' || b === '') return Number(a === '') - Number(b === '');
      return direction * (isNumber ? Number(a) - Number(b) : compare(a, b));
    });
  }, [columns, rows, sort]);
  return useMemo(() => {
    const matches = matcher(words);
    return order.flatMap((index): ListRow[] => {
      const row = rows[index];
      return row && matches(texts[index] ?? '') ? [row] : [];
    });
  }, [rows, texts, order, words]);
};

type FieldProps = {
  label: string;
  text: string;
  isChanged?: boolean;
  startsOpen?: boolean;
  onInput: (text: string) => void;
};

/** A cell that becomes a field on a click or Enter. Enter ends it, and Escape restores the text. */
const Field = ({ label, text, isChanged = false, startsOpen = false, onInput }: FieldProps) => {
  const [original, setOriginal] = useState(startsOpen ? text : undefined);
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(startsOpen);
  const isOpen = original !== undefined;
  useLayoutEffect(() => {
    if (wantsFocus.current) box.current?.querySelector<HTMLElement>('textarea, button')?.focus();
    wantsFocus.current = false;
  }, [isOpen]);
  const turnInto = (next: string | undefined) => {
    wantsFocus.current = true;
    setOriginal(next);
  };
  return (
    <div ref={box} class={isChanged ? 'cell changed' : 'cell'}>
      {isOpen ? (
        <textarea
          aria-label={label}
          rows={Math.min(8, text.split('\n').length)}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onBlur={() => setOriginal(undefined)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onInput(original);
            const isEnd = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
            if (event.key !== 'Escape' && !isEnd) return;
            event.preventDefault();
            turnInto(undefined);
          }}
        />
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${text || 'empty'}${isChanged ? ', changed' : ''}`}
          onClick={() => turnInto(text)}
        >
          {text}
        </button>
      )}
    </div>
  );
};
