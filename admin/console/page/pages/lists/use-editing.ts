import { useReducer, useState } from 'preact/hooks';
import { type ListName, tables } from '../../../../../shared/tables.ts';
import type { AddressTexts } from '../../../addresses.ts';
import type { TableColumn, TableCount, TablePage } from '../../../api.ts';
import { readAllRows } from '../../components/stock-table.tsx';
import { countOf } from '../../format.ts';
import { pick, useRoute } from '../../route.ts';
import { get, pathTo } from '../../source.ts';
import { useWork } from '../../use-response.ts';
import { type Cells, cellsOf } from '../../use-stock.ts';
import { type GridRow, newColumn, pasteCells, pasteRows, readBlock, toGrid } from './block.ts';
import { addedRows, addNewRow, draftOf, type Kind, remember } from './draft.ts';
import type { Pasted } from './editable-table.tsx';

/** More new rows would make the page slow. */
const MAX_LINES = 2_000;

const NOTHING = async () => undefined;

/** What a person does with the rows of a list, and what the page says about it. */
export const useEditing = (list: ListName) => {
  const { partitionKey: key, list: names } = tables[list];
  const draft = draftOf(names.command);
  const shownQuery = pick(useRoute().parameters, ['search', 'sort']);
  const { result, failure, run } = useWork<string | undefined>();
  const [pasted, setPasted] = useState<{ takeBack: () => void }>();
  const [, redraw] = useReducer<number, void>((edits) => edits + 1, 0);
  const onEdit = () => {
    setPasted(undefined);
    redraw();
  };

  const isListed = async (id: string) => {
    const { count } = await get<TableCount>(pathTo(['tables', names.command, 'count'], { id }));
    if (count > 0) draft.listed.add(id);
    return count > 0;
  };

  const gridOf = (columns: readonly TableColumn[]) => {
    const attributes = columns.map(({ attribute }) => attribute);
    const added = [...draft.columns].filter(([name]) => !attributes.includes(name));
    return toGrid([...columns, ...added.map(([name, kind]) => newColumn(name, kind))]);
  };
  const toRow = (cells: Cells) => ({ identifier: String(cells[key]), cells });
  const readAll = async (query: AddressTexts) => {
    const all = await readAllRows(names.command, query, Number.POSITIVE_INFINITY);
    const { columns, rows }: Pick<TablePage, 'columns' | 'rows'> = all ?? { columns: [], rows: [] };
    return { columns: gridOf(columns), rows: rows.map(cellsOf(columns)).map(toRow) };
  };

  const paste = (text: string, fill: (block: ReturnType<typeof readBlock>) => Promise<string>) =>
    run(async () => {
      const block = readBlock(text);
      if (block.length > MAX_LINES)
        return `A block can have up to ${countOf(MAX_LINES, 'line')}. Save the sheet and import the file.`;
      const takeBack = remember(draft);
      const message = await fill(block);
      setPasted({ takeBack });
      return message;
    });

  return {
    draft,
    message: failure ?? result,
    onEdit,
    /** Undoes a paste that is the last edit. */
    takeBack:
      pasted &&
      (() => {
        pasted.takeBack();
        onEdit();
        run(NOTHING);
      }),
    addRow: (id: string) => run(async () => addNewRow(draft, id, await isListed(id))),
    addColumn: (name: string, kind: Kind) =>
      run(async () => {
        const { columns } = await get<TablePage>(pathTo(['tables', names.command], { limit: '1' }));
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
    onRows: (text: string) =>
      paste(text, async (block) => pasteRows(draft, block, { key, ...(await readAll({})) })),
    onBlock: ({ text, identifier, attribute, shown }: Pasted) =>
      paste(text, async (block) => {
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
