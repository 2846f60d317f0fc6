import type { RefObject } from 'preact';
import { flushSync } from 'preact/compat';
import { useState } from 'preact/hooks';
import { tables } from '../../../../../shared/tables.ts';
import type { TableColumn } from '../../../api.ts';
import { StockTable } from '../../components/stock-table.tsx';
import type { Row, ShownRows } from '../../components/table-columns.tsx';
import { countOf } from '../../format.ts';
import { pick, useRoute } from '../../route.ts';
import { isReadOnly } from '../../source.ts';
import type { Cells } from '../../use-stock.ts';
import { type GridColumn, newColumns, storedIn, toGrid } from './block.ts';
import { addedRows, codeOf, type Draft, isUndecided, nameOf, setCode, setText, toggleRow } from './draft.ts';
import { EditableCell } from './editable-cell.tsx';
import { RowLinks } from './past-list.tsx';
import type { Editing } from './use-editing.ts';

type Props = {
  editing: Editing;
  /** The code of the new row that gets the focus. */
  asked: RefObject<string | null>;
};

/** Added rows come first. */
export const EditableTable = ({ editing, asked }: Props) => {
  const { list, command: table, key: identifierName, draft, issues, ...on } = editing;
  const [renaming, setRenaming] = useState<string>();
  const rowIn = (cells: Cells) => {
    const identifier = String(cells[identifierName]);
    const row = draft.rows.get(identifier);
    return { identifier, row, name: row ? nameOf(row) : identifier };
  };

  const codeView = (cells: Cells) => {
    const { identifier, row, name } = rowIn(cells);
    if (row?.to === undefined && renaming !== identifier) return undefined;
    const isAdded = row?.kind === 'added';
    return (
      <EditableCell
        label={`${isAdded ? '' : 'New '}${identifierName} of ${name}`}
        typed={row ? codeOf(row) : identifier}
        stored={isAdded ? '' : identifier}
        issue={issues.get(identifier)}
        takesFocus={() => {
          const isAsked = isAdded && asked.current === name;
          if (isAsked) asked.current = null;
          return isAsked;
        }}
        onInput={(typed) => {
          setCode(draft, identifier, typed);
          on.onCode(typed);
        }}
        onBlock={on.onRows}
      />
    );
  };

  const attributeView = (column: GridColumn, shown: ShownRows) => (cells: Cells) => {
    const { attribute, kind } = column;
    const stored = storedIn(cells, column);
    const { identifier, row, name: code } = rowIn(cells);
    const edited = row?.cells.find(({ name }) => name === attribute);
    if (row?.kind === 'removed' || (isCut(stored) && !edited)) return stored;
    const { typed, text } = edited ?? { typed: stored, text: stored };
    return (
      <EditableCell
        label={`${attribute} of ${code}`}
        {...{ typed, text, stored }}
        onInput={(typed, text) => {
          setText(draft, identifier, { name: attribute, kind, typed, stored, text });
          on.onEdit();
        }}
        onBlock={(block) => on.onBlock(block, { identifier, attribute, shown })}
      />
    );
  };

  const viewOf = (column: TableColumn, shown: ShownRows) => {
    if (isReadOnly) return undefined;
    if (column.name === identifierName) return codeView;
    const [fillable] = toGrid([column]);
    return fillable && attributeView(fillable, shown);
  };

  const buttons = ({ cells }: Row) => {
    const { identifier, row, name } = rowIn(cells);
    const button = (verb: string, onClick: (button: HTMLElement) => void) => (
      <button
        type="button"
        class="plain"
        aria-label={`${verb} ${name}`}
        onClick={({ currentTarget }) => onClick(currentTarget)}
      >
        {verb}
      </button>
    );
    const toggle = () => {
      toggleRow(draft, identifier);
      on.onEdit();
    };
    const rename = (button: HTMLElement) => {
      flushSync(() => setRenaming(identifier));
      button.closest('tr')?.querySelector<HTMLElement>('th .cell')?.focus();
    };
    return (
      <span class="flow">
        {!isReadOnly && button(row?.kind === 'removed' ? 'Restore' : 'Remove', toggle)}
        {!isReadOnly && (row?.kind ?? 'changed') === 'changed' && button('Rename', rename)}
        {row?.kind !== 'added' && <RowLinks {...{ list, identifier }} />}
      </span>
    );
  };

  const { search } = pick(useRoute().parameters, ['search']);
  const { added, left } = useShownRows(draft, issues);
  return (
    <>
      {left > 0 && (
        <p class="soft small" role="status">
          {countOf(left, 'new row')} more will be written, but {left === 1 ? 'is' : 'are'} not shown.
        </p>
      )}
      <StockTable
        table={table}
        query={{ search }}
        caption={tables[list].list.title}
        noun={['row', 'rows']}
        viewOf={viewOf}
        rowsAbove={added.map(({ identifier }) => ({
          key: `added ${identifier}`,
          cells: { [identifierName]: identifier },
        }))}
        columnsAfter={newColumns(draft)}
        moreColumns={[{ title: 'Row', kind: 'word', cell: buttons }]}
        classOf={({ cells }) => rowIn(cells).row?.kind ?? ''}
        download={{ content: contentOf(search, draft), path: ['lists', table], query: { search } }}
      />
    </>
  );
};

/** More rows would make typing slow. */
const SHOWN_NEW_ROWS = 100;

/** The newest rows, and those that need a person. Such a row stays when it is right. */
const useShownRows = (draft: Draft, issues: ReadonlyMap<string, string>) => {
  const [kept] = useState(() => new Set<string>());
  const all = addedRows(draft);
  for (const row of all) if (issues.has(row.identifier) || isUndecided(row)) kept.add(row.identifier);
  const added = all.filter(({ identifier }, index) => index < SHOWN_NEW_ROWS || kept.has(identifier));
  return { added, left: all.length - added.length };
};

const contentOf = (search: string | null | undefined, draft: Draft) =>
  [
    search ? 'the rows that the search finds, to import them again' : 'the whole list, to import it again',
    ...(draft.rows.size > 0 ? ['without the changes that are not written yet'] : []),
  ].join(', ');

/** A page of more than 1 MB has its long texts cut, and a write would lose the rest. */
const isCut = (text: string) => text.length > 1_000 && text.endsWith('…');
