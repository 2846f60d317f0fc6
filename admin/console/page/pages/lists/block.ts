import { toColumn } from '../../../../lists/rows/titles.ts';
import type { TableColumn } from '../../../api.ts';
import { countOf } from '../../format.ts';
import type { Cells } from '../../use-stock.ts';
import { addRow, codeOf, type Draft, restoreRow, setText } from './draft.ts';
import { isWhole } from './moves.ts';
import { type Kind, signsOf, toTyped } from './typed-values.ts';

/** The lines of what a spreadsheet copies, as cells. */
export type Block = readonly (readonly string[])[];

const CELL = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/y;
const LINE_BREAK = /\r?\n?/y;

/** A cell of several lines, with a tab, or with doubled quotation marks is in quotation marks. Others belong to the text. */
const readBlock = (text: string): Block => {
  const lines: string[][] = [[]];
  for (let at = 0; ; ) {
    CELL.lastIndex = at;
    const [whole = '', quoted] = CELL.exec(text) ?? [];
    const isQuoted = quoted !== undefined && /[\t\r\n]|""/.test(quoted);
    lines.at(-1)?.push(isQuoted ? quoted.replaceAll('""', '"').replaceAll('\r\n', '\n') : whole);
    at += whole.length;
    if (text.charAt(at) === '\t') at += 1;
    else {
      LINE_BREAK.lastIndex = at;
      at += LINE_BREAK.exec(text)?.[0].length ?? 0;
      // The last line may end like the others.
      if (at >= text.length) return lines;
      lines.push([]);
    }
  }
};

/** Takes a block that is pasted, but not into a part of a text. Other texts are pasted as usual. */
export const takeBlock = (onBlock: (block: Block) => void) => (event: ClipboardEvent) => {
  const { currentTarget: field } = event;
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!/[\t\n]/.test(text) || (field instanceof HTMLTextAreaElement && !isWhole(field))) return;
  event.preventDefault();
  onBlock(readBlock(text));
};

/** A row of the list, or of the draft. */
export type GridRow = { identifier: string; cells: Cells };
export type GridColumn = { name: string; attribute: string; kind: Kind };

/** The columns that a person can fill. */
export const toGrid = (columns: readonly TableColumn[]) =>
  columns.flatMap(({ name, attribute, kind }): GridColumn[] =>
    attribute === undefined ? [] : [{ name, attribute, kind: kind === 'number' ? 'number' : 'text' }],
  );

const newColumn = (attribute: string, kind: Kind) => ({
  name: `list.${attribute}`,
  title: attribute,
  attribute,
  kind,
});

export const newColumns = ({ columns }: Draft): TableColumn[] =>
  [...columns].map(([name, kind]) => newColumn(name, kind));

export const storedIn = (cells: Cells, { name, kind }: GridColumn) => toTyped(cells[name] ?? null, kind);

type Filled = { row: GridRow; texts: readonly string[] };

/** Fills rows from their first column on. All numbers of a column have one decimal sign. */
const fill = (draft: Draft, filled: readonly Filled[], columns: readonly (GridColumn | undefined)[]) => {
  for (const { row } of filled) restoreRow(draft, row.identifier);
  for (const [index, column] of columns.entries()) {
    if (!column) continue;
    const { attribute: name, kind } = column;
    const signs = signsOf(filled.map(({ texts }) => texts[index] ?? ''));
    for (const { row, texts } of filled) {
      const typed = texts[index];
      const stored = storedIn(row.cells, column);
      if (typed !== undefined) setText(draft, row.identifier, { name, kind, typed, stored }, signs);
    }
  }
};

const describeLeft = (columns: number) =>
  columns > 0 ? [`${countOf(columns, 'column')} of the block did not fit. Add a column first.`] : [];

/** Fills cells from the first of these rows and columns on. */
export const pasteCells = (
  draft: Draft,
  block: Block,
  rows: readonly GridRow[],
  columns: readonly GridColumn[],
) => {
  const filled = rows.slice(0, block.length).map((row, index) => ({ row, texts: block[index] ?? [] }));
  fill(draft, filled, columns);
  const left = block.length - filled.length;
  const advice = 'To add rows, paste them with their codes into the field for a new row.';
  return [
    `Pasted into ${countOf(filled.length, 'row')}.`,
    ...(left > 0 ? [`${countOf(left, 'line')} of the block did not fit. ${advice}`] : []),
    ...describeLeft((block[0]?.length ?? 0) - columns.length),
  ].join(' ');
};

/** A column that a title names. A new title adds a column. */
const columnOf = (draft: Draft, title: string, columns: readonly GridColumn[]) => {
  const { name, kind } = toColumn(title.trim());
  const column = columns.find(({ attribute }) => attribute === name);
  if (column || name === '') return column;
  const newKind = kind === 'number' ? 'number' : 'text';
  draft.columns.set(name, newKind);
  return newColumn(name, newKind);
};

type Grid = { key: string; rows: readonly GridRow[]; columns: readonly GridColumn[] };

/** Fills rows with the identifiers in the first column of the block, also new rows. A first line of titles names the columns. */
export const pasteRows = (draft: Draft, block: Block, { key, rows, columns }: Grid) => {
  const [first = [], ...others] = block;
  const hasTitles = first[0]?.trim().toLowerCase() === key.toLowerCase();
  const wanted = hasTitles ? first.slice(1).map((title) => columnOf(draft, title, columns)) : columns;
  const existing = new Map(rows.map((row) => [row.identifier, row]));
  const known = new Map(existing);
  for (const row of draft.rows.values())
    if (row.kind === 'added') known.set(codeOf(row), { identifier: row.identifier, cells: {} });
  let added = 0;
  // The page shows the newest row first, so the first line is added last.
  const lines = (hasTitles ? others : block).toReversed();
  const filled = lines.flatMap(([cell = '', ...texts]): Filled[] => {
    const code = cell.trim();
    if (code === '' && texts.join('').trim() === '') return [];
    const row = known.get(code);
    // Another line with the same code is a row of its own, so that a person sees both.
    known.delete(code);
    if (row) return [{ row, texts }];
    added += 1;
    if (existing.has(code)) draft.listed.add(code);
    return [{ row: { identifier: addRow(draft, code), cells: {} }, texts }];
  });
  fill(draft, filled, wanted);
  return [
    `Pasted: ${countOf(added, 'new row')} and ${countOf(filled.length - added, 'row')} that exist.`,
    ...(hasTitles ? [] : describeLeft(first.length - 1 - columns.length)),
  ].join(' ');
};
