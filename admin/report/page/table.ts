import { grouped } from '../../cli/words.ts';
import { el } from './dom.ts';

export type Column<TRow> = {
  title: string;
  cell: (row: TRow) => Node | string;
  /** `head` names the row, `word` is not broken where that can be helped, `prose` needs the width of a card. */
  kind?: 'head' | 'number' | 'word' | 'prose';
};

type Parts<TRow> = {
  table: HTMLElement;
  more: HTMLElement;
  caption: string;
  columns: readonly Column<TRow>[];
  /** Told with the place of the column; without it, nothing can be sorted. */
  onSort?: (column: number) => void;
  attributesOf?: (row: TRow) => { [name: string]: string };
  groupOf?: (row: TRow) => { name: string; size: number };
  /** How many rows are drawn, and then with each wish for more. */
  step?: number;
};

export type Table<TRow> = {
  show(rows: readonly TRow[]): void;
  markSorted(column: number, direction: 'ascending' | 'descending'): void;
};

const STEP = 100;

/** As a table's parts become blocks on a phone, browsers forget what they are; the roles say it again. */
export const createTable = <TRow>(parts: Parts<TRow>): Table<TRow> => {
  const { table, more, caption, columns, onSort, step = STEP } = parts;
  const heads = columns.map((column, place) => headOf(column, onSort && (() => onSort(place))));
  const body = el('tbody', { role: 'rowgroup' });
  table.setAttribute('role', 'table');
  table.replaceChildren(
    el('caption', {}, el('span', { class: 'hidden' }, caption)),
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
    body,
  );
  let rows: readonly TRow[] = [];
  let drawn = 0;

  const drawMore = () => {
    const next = rows.slice(drawn, drawn + step);
    body.append(
      ...next.flatMap((row, index) => [...groupRow(parts, row, rows[drawn + index - 1]), rowOf(parts, row)]),
    );
    drawn += next.length;
    more.replaceChildren(...(drawn < rows.length ? [moreButton(), printedNote()] : []));
  };

  const printedNote = () =>
    el('p', { class: 'printed' }, `The first ${grouped(drawn)} of ${grouped(rows.length)} rows.`);

  const moreButton = () => {
    const left = rows.length - drawn;
    const text =
      left > step ? `Show ${grouped(step)} more of ${grouped(left)}` : `Show the other ${grouped(left)}`;
    const button = el('button', { type: 'button' }, text);
    button.addEventListener('click', () => {
      const firstNew = drawn;
      drawMore();
      focusRow(body, firstNew);
    });
    return button;
  };

  return {
    show: (shown) => {
      rows = shown;
      drawn = 0;
      body.replaceChildren();
      drawMore();
    },
    markSorted: (column, direction) => {
      for (const [place, head] of heads.entries()) {
        if (place === column) head.setAttribute('aria-sort', direction);
        else head.removeAttribute('aria-sort');
      }
    },
  };
};

const headOf = <TRow>({ title, kind }: Column<TRow>, sort: (() => void) | undefined) => {
  const attributes = { scope: 'col', role: 'columnheader', class: kind === 'number' ? 'number' : undefined };
  if (!sort) return el('th', attributes, title);
  const button = el('button', { type: 'button', class: 'sort' }, title);
  button.addEventListener('click', sort);
  return el('th', attributes, button);
};

const rowOf = <TRow>({ columns, attributesOf }: Parts<TRow>, row: TRow) =>
  el(
    'tr',
    { role: 'row', class: 'entry', ...attributesOf?.(row) },
    ...columns.map((column) => cellOf(column, row)),
  );

const cellOf = <TRow>({ title, cell, kind }: Column<TRow>, row: TRow) =>
  kind === 'head'
    ? el('th', { scope: 'row', role: 'rowheader' }, cell(row))
    : el('td', { role: 'cell', class: kind, 'data-label': title }, cell(row));

const groupRow = <TRow>({ groupOf, columns }: Parts<TRow>, row: TRow, before: TRow | undefined) => {
  if (!groupOf) return [];
  const { name, size } = groupOf(row);
  if (before !== undefined && groupOf(before).name === name) return [];
  const head = { colspan: String(columns.length), scope: 'rowgroup', role: 'rowheader' };
  return [
    el(
      'tr',
      { role: 'row', class: 'group' },
      el('th', head, name, el('span', { class: 'amount' }, grouped(size))),
    ),
  ];
};

/** The button that had the focus is gone; whoever asked by keyboard goes on where the new rows begin. */
const focusRow = (body: HTMLElement, place: number) => {
  const row = body.querySelectorAll('tr.entry')[place];
  if (!(row instanceof HTMLElement)) return;
  const link = row.querySelector('a');
  if (link === null) row.setAttribute('tabindex', '-1');
  (link ?? row).focus({ preventScroll: true });
};
