import type { StockTableName } from '../../../../stock/tables/tables.ts';
import type { TableColumn } from '../../../api.ts';
import { type Row, StockTable } from '../../components/stock-table.tsx';
import { formatNumber } from '../../format.ts';
import { pick, useRoute } from '../../route.ts';
import { isReadOnly } from '../../source.ts';
import type { Cells } from '../../use-stock.ts';
import { type Draft, readingsOf, setText, toggleRow, toTyped } from './draft.ts';

type Props = {
  table: StockTableName;
  title: string;
  identifierName: string;
  draft: Draft;
  onEdit: () => void;
};

/** Added rows come first. */
export const EditableTable = ({ table, title, identifierName, draft, onEdit }: Props) => {
  const identifierOf = (cells: Cells) => String(cells[identifierName]);
  const changeKindOf = (cells: Cells) => draft.get(identifierOf(cells))?.kind;
  const viewOf = (column: TableColumn) => {
    const { attribute: name } = column;
    if (isReadOnly || name === undefined) return undefined;
    const kind = column.kind === 'number' ? 'number' : 'text';
    return (cells: Cells) => {
      const stored = toTyped(cells[column.name] ?? null, kind);
      if (changeKindOf(cells) === 'removed' || isCut(stored)) return stored;
      const identifier = identifierOf(cells);
      const edited = draft.get(identifier)?.cells.find((cell) => cell.name === name);
      const onInput = (typed: string, text?: string) => {
        setText(draft, identifier, { name, kind, typed, stored, text });
        onEdit();
      };
      const { typed, text } = edited ?? { typed: stored, text: stored };
      return <EditableCell label={`${name} of ${identifier}`} {...{ typed, text, stored, onInput }} />;
    };
  };
  const removal = ({ cells }: Row) => {
    const verb = changeKindOf(cells) === 'removed' ? 'Restore' : 'Remove';
    const toggle = () => {
      toggleRow(draft, identifierOf(cells));
      onEdit();
    };
    return (
      <button type="button" class="plain" aria-label={`${verb} ${identifierOf(cells)}`} onClick={toggle}>
        {verb}
      </button>
    );
  };
  const { search } = pick(useRoute().parameters, ['search']);
  const added = [...draft.values()].filter(({ kind }) => kind === 'added').reverse();
  return (
    <StockTable
      table={table}
      query={{ search }}
      caption={title}
      noun={['row', 'rows']}
      viewOf={viewOf}
      rowsAbove={added.map(({ identifier }) => ({
        key: `added ${identifier}`,
        cells: { [identifierName]: identifier },
      }))}
      moreColumns={isReadOnly ? [] : [{ title: 'Row', kind: 'word', cell: removal }]}
      classOf={({ cells }) => changeKindOf(cells) ?? ''}
      download={{ content: contentOf(search, draft), path: ['lists', table], query: { search } }}
    />
  );
};

const contentOf = (search: string | null | undefined, draft: Draft) =>
  [
    search ? 'the rows that the search finds, to import them again' : 'the whole list, to import it again',
    ...(draft.size > 0 ? ['without the changes that are not written yet'] : []),
  ].join(', ');

/** A page of more than 1 MB has its long texts cut, and a write would lose the rest. */
const isCut = (text: string) => text.length > 1_000 && text.endsWith('…');

type CellProps = {
  label: string;
  typed: string;
  /** The text to write. Undefined until the admin chooses one of the readings of `typed`. */
  text: string | undefined;
  stored: string;
  onInput: (typed: string, text?: string) => void;
};

/** Escape restores the stored text. Shift+Enter starts a new line, and Enter alone does not. */
const EditableCell = ({ label, typed, text, stored, onInput }: CellProps) => (
  <>
    <textarea
      class={typed === stored ? 'cell' : 'cell touched'}
      aria-label={label}
      rows={1}
      spellcheck={false}
      value={typed}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onInput(stored);
        if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
      }}
    />
    {text === undefined && (
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
