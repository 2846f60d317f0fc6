import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListColumn, ListTable } from '../../api.ts';
import { type Column, DataTable, type Sort } from '../components/data-table.tsx';
import { compare, fold, matcher } from '../model.ts';
import { isReadOnly } from '../source.ts';
import { addedRows, type Draft, type ListRow, setText, toggleRow } from './lists-draft.ts';

type Props = {
  name: string;
  keyName: string;
  columns: readonly ListColumn[];
  rows: readonly ListRow[];
  draft: Draft;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  onEdit: () => void;
};

/** A list whose cells become fields. Added rows come first. */
export const EditableTable = ({ name, keyName, columns, rows, draft, sort, onSort, onEdit }: Props) => {
  const added = addedRows(draft);
  const editOf = ({ key }: ListRow) => draft.edits.get(key);
  const textCell = (column: ListColumn, index: number): Column<ListRow> => ({
    title: column.name,
    sort: `=${column.name}`,
    ...(column.kind === 'number' ? { kind: column.kind } : {}),
    cell: (row) => {
      const stored = row.cells[index] ?? '';
      const edit = editOf(row);
      if (isReadOnly || edit?.kind === 'removed') return stored;
      const text = edit?.texts.get(column.name);
      return (
        <Field
          key={row.key}
          label={`${column.name} of ${row.identifier || 'the new row'}`}
          text={text ?? stored}
          isChanged={text !== undefined}
          onInput={(text) => {
            setText(draft, row, { column: column.name, text, stored });
            onEdit();
          }}
        />
      );
    },
  });
  const identifierCell = (row: ListRow) => {
    const edit = editOf(row);
    if (edit?.kind !== 'added') return row.identifier;
    const onInput = (text: string) => {
      edit.identifier = text.trim();
      onEdit();
    };
    return (
      <Field
        key={row.key}
        label={`${keyName} of the new row`}
        text={edit.identifier}
        isNew={edit.identifier === ''}
        onInput={onInput}
      />
    );
  };
  const removal = (row: ListRow) => {
    const verb = editOf(row)?.kind === 'removed' ? 'Restore' : 'Remove';
    const toggle = () => {
      toggleRow(draft, row);
      onEdit();
    };
    return (
      <button
        type="button"
        class="plain"
        aria-label={`${verb} ${row.identifier || 'the new row'}`}
        onClick={toggle}
      >
        {verb}
      </button>
    );
  };
  return (
    <DataTable
      caption={name}
      columns={[
        { title: keyName, kind: 'head', sort: KEY, cell: identifierCell },
        ...columns.map(textCell),
        ...(isReadOnly ? [] : [{ title: 'Row', kind: 'word' as const, cell: removal }]),
      ]}
      rows={{ length: added.length + rows.length, at: (index) => added[index] ?? rows[index - added.length] }}
      {...(sort ? { sort } : {})}
      onSort={onSort}
      classOf={(row) => editOf(row)?.kind ?? ''}
    />
  );
};

const KEY = 'key';

/** The rows of a list that have all words, in the wanted order. */
export const useRows = (table: ListTable | undefined, sort: Sort | undefined, words: string) => {
  const rows = useMemo(
    () =>
      table?.rows.map(({ identifier, cells }) => ({
        row: { key: `=${identifier}`, identifier, cells },
        text: fold([identifier, ...cells].join(' ')),
      })) ?? [],
    [table],
  );
  const sorted = useMemo(() => {
    if (!table || !sort) return rows;
    const column = table.columns.findIndex(({ name }) => sort.by === `=${name}`);
    const textOf = ({ identifier, cells }: ListRow) => (sort.by === KEY ? identifier : (cells[column] ?? ''));
    const direction = sort.isDescending ? -1 : 1;
    const isNumber = table.columns[column]?.kind === 'number';
    return rows.toSorted((one, other) => {
      const [a, b] = [textOf(one.row), textOf(other.row)];
      // Rows without a value come last in both directions.
      if (a === '' || b === '') return Number(a === '') - Number(b === '');
      return direction * (isNumber ? Number(a) - Number(b) : compare(a, b));
    });
  }, [table, rows, sort]);
  return useMemo(() => {
    const matches = matcher(words);
    return sorted.filter(({ text }) => matches(text)).map(({ row }) => row);
  }, [sorted, words]);
};

type FieldProps = {
  label: string;
  text: string;
  isChanged?: boolean;
  isNew?: boolean;
  onInput: (text: string) => void;
};

/** A cell that becomes a field on a click or Enter. Enter ends it, and Escape restores the text. */
const Field = ({ label, text, isChanged = false, isNew = false, onInput }: FieldProps) => {
  const [original, setOriginal] = useState(isNew ? text : undefined);
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(isNew);
  const isOpen = original !== undefined;
  useLayoutEffect(() => {
    if (wantsFocus.current) box.current?.querySelector<HTMLElement>('textarea, button')?.focus();
    wantsFocus.current = false;
  }, [isOpen]);
  const turn = (next: string | undefined) => {
    wantsFocus.current = true;
    setOriginal(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onInput(original ?? '');
    else if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    turn(undefined);
  };
  return (
    <div ref={box} class={isChanged ? 'cell touched' : 'cell'}>
      {isOpen ? (
        <textarea
          aria-label={label}
          rows={text.split('\n').length}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onBlur={() => setOriginal(undefined)}
          onKeyDown={onKeyDown}
        />
      ) : (
        <button
          type="button"
          aria-label={`${label}: ${text || 'empty'}${isChanged ? ', changed' : ''}`}
          onClick={() => turn(text)}
        >
          {text}
        </button>
      )}
    </div>
  );
};
