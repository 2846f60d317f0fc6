import { flushSync } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { StockTableName } from '../../../../stock/tables/tables.ts';
import type { TableColumn } from '../../../api.ts';
import { type Row, type ShownRows, StockTable } from '../../components/stock-table.tsx';
import { countOf } from '../../format.ts';
import { pick, useRoute } from '../../route.ts';
import { isReadOnly } from '../../source.ts';
import type { Cells } from '../../use-stock.ts';
import { type GridColumn, newColumn, storedIn, toGrid } from './block.ts';
import { addedRows, codeOf, type Draft, isUndecided, nameOf, setCode, setText, toggleRow } from './draft.ts';
import { EditableCell } from './editable-cell.tsx';

/** A block that is pasted into a cell. */
export type Pasted = { text: string; identifier: string; attribute: string; shown: ShownRows };

type Props = {
  table: StockTableName;
  title: string;
  identifierName: string;
  draft: Draft;
  /** What is wrong with the identifiers of new and renamed rows. */
  issues: ReadonlyMap<string, string>;
  onEdit: () => void;
  onCode: (code: string) => void;
  onBlock: (pasted: Pasted) => void;
  onRows: (text: string) => void;
};

/** Added rows come first. */
export const EditableTable = ({ table, title, identifierName, draft, issues, ...on }: Props) => {
  const [renaming, setRenaming] = useState<string>();
  const identifierOf = (cells: Cells) => String(cells[identifierName]);
  const draftedIn = (cells: Cells) => draft.rows.get(identifierOf(cells));
  const nameIn = (cells: Cells) => {
    const row = draftedIn(cells);
    return row ? nameOf(row) : identifierOf(cells);
  };

  const codeView = (cells: Cells) => {
    const identifier = identifierOf(cells);
    const row = draftedIn(cells);
    if (row?.to === undefined && renaming !== identifier) return undefined;
    const isAdded = row?.kind === 'added';
    const onInput = (typed: string) => {
      setCode(draft, identifier, typed);
      on.onCode(typed);
    };
    return (
      <EditableCell
        label={`${isAdded ? '' : 'New '}${identifierName} of ${nameIn(cells)}`}
        typed={row ? codeOf(row) : identifier}
        stored={isAdded ? '' : identifier}
        issue={issues.get(identifier)}
        onInput={onInput}
        onBlock={on.onRows}
      />
    );
  };

  const attributeView = (column: GridColumn, shown: ShownRows) => (cells: Cells) => {
    const { attribute, kind } = column;
    const stored = storedIn(cells, column);
    const row = draftedIn(cells);
    const edited = row?.cells.find(({ name }) => name === attribute);
    if (row?.kind === 'removed' || (isCut(stored) && !edited)) return stored;
    const identifier = identifierOf(cells);
    const { typed, text } = edited ?? { typed: stored, text: stored };
    return (
      <EditableCell
        label={`${attribute} of ${nameIn(cells)}`}
        {...{ typed, text, stored }}
        onInput={(typed, text) => {
          setText(draft, identifier, { name: attribute, kind, typed, stored, text });
          on.onEdit();
        }}
        onBlock={(text) => on.onBlock({ text, identifier, attribute, shown })}
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
    const kind = draftedIn(cells)?.kind;
    const verb = kind === 'removed' ? 'Restore' : 'Remove';
    const toggle = () => {
      toggleRow(draft, identifierOf(cells));
      on.onEdit();
    };
    return (
      <span class="flow">
        <button type="button" class="plain" aria-label={`${verb} ${nameIn(cells)}`} onClick={toggle}>
          {verb}
        </button>
        {kind !== 'added' && kind !== 'removed' && (
          <button
            type="button"
            class="plain"
            aria-label={`Rename ${nameIn(cells)}`}
            onClick={({ currentTarget }) => {
              flushSync(() => setRenaming(identifierOf(cells)));
              currentTarget.closest('tr')?.querySelector<HTMLElement>('th .cell')?.focus();
            }}
          >
            Rename
          </button>
        )}
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
        caption={title}
        noun={['row', 'rows']}
        viewOf={viewOf}
        rowsAbove={added.map(({ identifier }) => ({
          key: `added ${identifier}`,
          cells: { [identifierName]: identifier },
        }))}
        columnsAfter={[...draft.columns].map(([name, kind]) => newColumn(name, kind))}
        moreColumns={isReadOnly ? [] : [{ title: 'Row', kind: 'word', cell: buttons }]}
        classOf={({ cells }) => draftedIn(cells)?.kind ?? ''}
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
