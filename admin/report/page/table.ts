import { grouped } from '../../cli/words.ts';
import { el, hiddenText } from './dom.ts';

export type Column<TRow> = {
  title: string;
  cell: (row: TRow) => Node | string;
  /** `head` names the row. Words and numbers are broken only on a phone. `prose` is wide. */
  kind?: 'head' | 'number' | 'word' | 'prose';
};

type Options<TRow> = {
  /** The new table is the child of this element. */
  parent: HTMLElement;
  id: string;
  caption: string;
  columns: readonly Column<TRow>[];
  /** Called with the index of a column. Without it, the titles are no buttons. */
  onSort?: (column: number) => void;
  attributesOf?: (row: TRow) => { [name: string]: string };
  groupOf?: (row: TRow) => { name: string; size: number };
  /** How many rows are drawn at first, and with each press of the button. */
  step?: number;
};

/** On a phone, the parts of a table are blocks and lose their meaning in some browsers. The roles keep it. */
export const createTable = <TRow>(options: Options<TRow>) => {
  const { parent, id, caption, columns, onSort, groupOf, step = 100 } = options;
  const heads = columns.map(({ title, kind }, index) => {
    const head = el('th', {
      scope: 'col',
      role: 'columnheader',
      class: kind === 'number' ? kind : undefined,
    });
    head.append(onSort ? button('sort', title, () => onSort(index)) : title);
    return head;
  });
  const body = el('tbody', { role: 'rowgroup' });
  const more = el('div', { class: 'more' });
  const head = el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads));
  const table = el(
    'table',
    { class: 'data', id, role: 'table' },
    el('caption', {}, hiddenText(caption)),
    head,
  );
  table.append(body);
  parent.replaceChildren(table, more);
  let rows: readonly TRow[] = [];
  let drawn = 0;
  let group = '';

  const drawRow = (row: TRow) => {
    const { name = '', size = 0 } = groupOf?.(row) ?? {};
    if (name !== group) body.append(groupRow(name, size, columns.length));
    group = name;
    body.append(entryRow(options, row));
  };

  const drawMore = () => {
    for (const row of rows.slice(drawn, drawn + step)) drawRow(row);
    drawn = Math.min(drawn + step, rows.length);
    const left = rows.length - drawn;
    const text =
      left > step ? `Show ${grouped(step)} more of ${grouped(left)}` : `Show the other ${grouped(left)}`;
    const note = `The first ${grouped(drawn)} of ${grouped(rows.length)} rows.`;
    more.replaceChildren(
      ...(left > 0 ? [button('chip', text, drawAndFocus), el('p', { class: 'printed' }, note)] : []),
    );
  };

  /** The focused button is gone, so the keyboard goes on at the first new row. */
  const drawAndFocus = () => {
    const firstNew = drawn;
    drawMore();
    const row = body.querySelectorAll<HTMLElement>('tr.entry')[firstNew];
    row?.setAttribute('tabindex', '-1');
    (row?.querySelector('a') ?? row)?.focus({ preventScroll: true });
  };

  return {
    show: (shown: readonly TRow[]) => {
      rows = shown;
      drawn = 0;
      group = '';
      body.replaceChildren();
      drawMore();
    },
    markSorted: (column: number, direction: 'ascending' | 'descending') => {
      for (const head of heads) head.ariaSort = head === heads[column] ? direction : null;
    },
  };
};

export const button = (className: string, text: string, onClick: () => void) => {
  const element = el('button', { type: 'button', class: className }, text);
  element.addEventListener('click', onClick);
  return element;
};

const entryRow = <TRow>({ columns, attributesOf }: Options<TRow>, row: TRow) => {
  const cells = columns.map(({ title, cell, kind }) =>
    kind === 'head'
      ? el('th', { scope: 'row', role: 'rowheader' }, cell(row))
      : el('td', { role: 'cell', class: kind, 'data-label': title }, cell(row)),
  );
  return el('tr', { role: 'row', class: 'entry', ...attributesOf?.(row) }, ...cells);
};

const groupRow = (name: string, size: number, columns: number) => {
  const attributes = { colspan: String(columns), scope: 'rowgroup', role: 'rowheader' };
  const count = el('span', { class: 'soft' }, grouped(size));
  return el('tr', { role: 'row', class: 'group' }, el('th', attributes, `${name} `, count));
};
