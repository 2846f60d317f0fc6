import { useReducer, useState } from 'preact/hooks';
import { type ListName, tables } from '../../../../../shared/tables.ts';
import type { AddressTexts } from '../../../addresses.ts';
import type { TableCount, TablePage } from '../../../api.ts';
import { readAllRows } from '../../components/print-rows.ts';
import type { ShownRows } from '../../components/table-columns.tsx';
import { countOf } from '../../format.ts';
import { pick, useRoute } from '../../route.ts';
import { get, pathTo } from '../../source.ts';
import { useWork } from '../../use-response.ts';
import { type Cells, cellsOf } from '../../use-stock.ts';
import { type Block, type GridRow, newColumns, pasteCells, pasteRows, toGrid } from './block.ts';
import { addedRows, addNewRow, codeIssues, draftOf } from './draft.ts';
import type { Kind } from './typed-values.ts';

/** More new rows would make the page slow. */
const MAX_LINES = 2_000;

/** The cell into which a block is pasted. */
type Place = { identifier: string; attribute: string; shown: ShownRows };

export type Editing = ReturnType<typeof useEditing>;

/** What a person does with the rows of a list, and what the page says about it. */
export const useEditing = (list: ListName) => {
  const { partitionKey: key, list: names } = tables[list];
  const { command } = names;
  const draft = draftOf(command);
  const shownQuery = pick(useRoute().parameters, ['search', 'sort']);
  const { result, failure, run } = useWork<string | undefined>();
  const [takeBack, setTakeBack] = useState<() => void>();
  const [, redraw] = useReducer<number, void>((edits) => edits + 1, 0);
  const onEdit = () => {
    setTakeBack(undefined);
    redraw();
  };

  const isListed = async (id: string) => {
    const { count } = await get<TableCount>(pathTo(['tables', command, 'count'], { id }));
    if (count > 0) draft.listed.add(id);
    return count > 0;
  };

  const toRow = (cells: Cells) => ({ identifier: String(cells[key]), cells });
  const readAll = async (query: AddressTexts) => {
    const { columns, rows } = (await readAllRows(command, query, Number.POSITIVE_INFINITY)) ?? NO_ROWS;
    const names = columns.map(({ name }) => name);
    const added = newColumns(draft).filter(({ name }) => !names.includes(name));
    return { columns: toGrid([...columns, ...added]), rows: rows.map(cellsOf(columns)).map(toRow) };
  };

  const paste = (block: Block, fill: () => Promise<string>) =>
    run(async () => {
      if (block.length > MAX_LINES)
        return `A block can have up to ${countOf(MAX_LINES, 'line')}. Save the sheet and import the file.`;
      const before = structuredClone(draft);
      const message = await fill();
      setTakeBack(() => () => {
        Object.assign(draft, before);
        onEdit();
        run(async () => undefined);
      });
      return message;
    });

  return {
    list,
    command,
    key,
    draft,
    /** What is wrong with the identifiers of new and renamed rows. */
    issues: codeIssues(list, draft),
    message: failure ?? result,
    onEdit,
    /** Undoes a paste that is the last edit. */
    takeBack,
    addRow: (id: string) => run(async () => addNewRow(draft, id, await isListed(id))),
    addColumn: (name: string, kind: Kind) =>
      run(async () => {
        const { columns } = await get<TablePage>(pathTo(['tables', command], { limit: '1' }));
        const isTaken = [key, ...columns.map(({ attribute }) => attribute)].includes(name);
        if (isTaken) return `The list already has the column ${name}.`;
        draft.columns.set(name, kind);
        return undefined;
      }),
    onCode: (code: string) => {
      onEdit();
      // The page draws again when it knows whether the list has the code.
      run(async () => void (code !== '' && (await isListed(code))));
    },
    /** A block that is pasted as rows. */
    onRows: (block: Block) =>
      paste(block, async () => pasteRows(draft, block, { key, ...(await readAll({})) })),
    onBlock: (block: Block, { identifier, attribute, shown }: Place) =>
      paste(block, async () => {
        const columns = toGrid(shown.columns);
        const added = addedRows(draft).map((row) => ({ identifier: row.identifier, cells: {} }));
        const isAdded = (row: GridRow) => draft.rows.get(row.identifier)?.kind === 'added';
        const shownRows = shown.rows.map(({ cells }) => toRow(cells)).filter((row) => !isAdded(row));
        const startIn = (rows: readonly GridRow[]) => rows.findIndex((row) => row.identifier === identifier);
        const onPage = [...added, ...shownRows];
        const fits = startIn(onPage) + block.length <= onPage.length;
        const rows = fits ? onPage : [...added, ...(await readAll(shownQuery)).rows];
        const at = startIn(rows);
        if (at < 0) throw new Error('The list has changed meanwhile. Paste the block again.');
        const from = columns.findIndex((column) => column.attribute === attribute);
        return pasteCells(draft, block, rows.slice(at), columns.slice(from));
      }),
  };
};

const NO_ROWS: Pick<TablePage, 'columns' | 'rows'> = { columns: [], rows: [] };
