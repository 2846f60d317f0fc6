import { useMemo } from 'preact/hooks';
import { counted, grouped } from '../../../cli/words.ts';
import type { ListColumn, ListTable } from '../../api.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { fold, matcher } from '../model.ts';
import { isReadOnly } from '../source.ts';
import { type Draft, setText, toggleRow } from './lists-draft.ts';

type Row = ListTable['rows'][number];

type Props = {
  name: string;
  keyName: string;
  table: ListTable;
  words: string;
  draft: Draft;
  onEdit: () => void;
};

/** Added rows come first. */
export const EditableTable = ({ name, keyName, table, words, draft, onEdit }: Props) => {
  const rows = useRows(table, words);
  const added = [...draft.values()]
    .filter(({ kind }) => kind === 'added')
    .map(({ identifier }): Row => ({ identifier, cells: [] }))
    .reverse();
  const kindOf = ({ identifier }: Row) => draft.get(identifier)?.kind;
  const textColumn = (column: ListColumn, index: number): Column<Row> => ({
    title: column.name,
    ...(column.kind === 'number' ? { kind: column.kind } : {}),
    cell: (row) => {
      const stored = row.cells[index] ?? '';
      if (isReadOnly || kindOf(row) === 'removed') return stored;
      const edited = draft.get(row.identifier)?.cells.find(({ name }) => name === column.name);
      const onInput = (text: string) => {
        setText(draft, row.identifier, { column, text, stored });
        onEdit();
      };
      const label = `${column.name} of ${row.identifier}`;
      return <Field label={label} text={edited?.text ?? stored} stored={stored} onInput={onInput} />;
    },
  });
  const removal = (row: Row) => {
    const verb = kindOf(row) === 'removed' ? 'Restore' : 'Remove';
    const toggle = () => {
      toggleRow(draft, row.identifier);
      onEdit();
    };
    return (
      <button type="button" class="plain" aria-label={`${verb} ${row.identifier}`} onClick={toggle}>
        {verb}
      </button>
    );
  };
  return (
    <>
      <p class="soft small" role="status">
        {grouped(rows.length)} of {counted(table.rows.length, 'row')}
      </p>
      <DataTable
        caption={name}
        columns={[
          { title: keyName, kind: 'head', cell: ({ identifier }) => identifier },
          ...table.columns.map(textColumn),
          ...(isReadOnly ? [] : [{ title: 'Row', kind: 'word' as const, cell: removal }]),
        ]}
        rows={{ length: added.length + rows.length, at: (at) => added[at] ?? rows[at - added.length] }}
        classOf={(row) => kindOf(row) ?? ''}
      />
    </>
  );
};

const useRows = ({ rows }: ListTable, words: string) => {
  const all = useMemo(
    () => rows.map((row) => ({ row, text: fold([row.identifier, ...row.cells].join(' ')) })),
    [rows],
  );
  const matches = matcher(words);
  return all.filter(({ text }) => matches(text)).map(({ row }) => row);
};

type FieldProps = { label: string; text: string; stored: string; onInput: (text: string) => void };

/** Escape restores the stored text. Shift and Enter start a new line. */
const Field = ({ label, text, stored, onInput }: FieldProps) => (
  <textarea
    class={text === stored ? 'cell' : 'cell touched'}
    aria-label={label}
    rows={1}
    spellcheck={false}
    value={text}
    onInput={({ currentTarget }) => onInput(currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === 'Escape') onInput(stored);
      if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
    }}
  />
);
