import { counted } from '../../cli/words.ts';
import { byId, el, inputById } from './dom.ts';
import { hashOf } from './link.ts';
import { type Model, matcher, type Row, ranksOf } from './model.ts';
import { type Column, createTable } from './table.ts';
import { receiptCell } from './times.ts';
import { amount, day } from './words.ts';

/** More would leave no room for the balances; the rest stands with the history of a material. */
const ATTRIBUTE_COLUMNS = 2;
const LONGEST_TITLE = 20;

type SortedColumn = Column<Row> & { key: (row: Row) => string | number };

/** Whose history is shown; rows that are drawn later have to know. */
let chosen: string | undefined;

export const showBalances = (model: Model) => {
  const { data, rows } = model;
  byId('balances-lead').textContent =
    `The newest statement of each client about each material, from ${day(data.since)} on. ` +
    'Older statements are not on this page. Ages are as of the making of this page.';
  const columns = columnsFor(model);
  const ranks = new Map<number, Float64Array>();
  const rankOf = (column: number) => {
    const known = ranks.get(column);
    const rank = known ?? ranksOf(rows.map((row) => columns[column]?.key(row) ?? 0));
    ranks.set(column, rank);
    return rank;
  };
  let sorted = 0;
  let sign = 1;

  const table = createTable<Row>({
    table: byId('balances-table'),
    more: byId('balances-more'),
    caption: 'Latest balances by material and client. The titles of the columns sort.',
    columns,
    onSort: (column) => {
      sign = column === sorted ? -sign : 1;
      sorted = column;
      show();
    },
    attributesOf: ({ code }) => ({
      class: 'entry row',
      'data-code': code,
      ...(code === chosen ? { 'aria-current': 'true' } : {}),
    }),
  });

  const search = inputById('search');
  const show = () => {
    const matches = matcher(search.value);
    const rank = rankOf(sorted);
    const found = rows
      .filter(({ haystack }) => matches(haystack))
      .sort((a, b) => sign * ((rank[a.index] ?? 0) - (rank[b.index] ?? 0)) || a.index - b.index);
    table.markSorted(sorted, sign > 0 ? 'ascending' : 'descending');
    table.show(found);
    const all = counted(rows.length, 'balance');
    byId('balances-count').textContent = search.value.trim()
      ? `${counted(found.length, 'match', 'matches')} of ${all}`
      : all;
  };
  search.addEventListener('input', show);
  followRows(byId('balances-table'));
  show();
};

const columnsFor = ({ data, attributeOf }: Model): SortedColumn[] => {
  const attributes = data.materials.attributes.map(({ name }, place) => ({ name, place }));
  return [
    { title: 'Material', kind: 'head', cell: linkTo, key: ({ code }) => code },
    ...attributes.slice(0, ATTRIBUTE_COLUMNS).map(({ name, place }) => {
      const key = (row: Row) => attributeOf(place, row);
      return { title: shortened(name), cell: key, key };
    }),
    { title: 'Client', kind: 'word', cell: ({ client }) => client, key: ({ client }) => client },
    {
      title: 'Balance',
      kind: 'number',
      cell: ({ balance }) => balanceCell(balance),
      key: ({ balance }) => balance,
    },
    { title: 'Unit', kind: 'word', cell: ({ unit }) => unit, key: ({ unit }) => unit },
    { title: 'Purchase orders', cell: ({ orders }) => orders, key: ({ orders }) => orders },
    {
      title: 'Received (UTC)',
      kind: 'number',
      cell: ({ at }) => receiptCell(at, data.madeAt),
      key: ({ at }) => at,
    },
  ];
};

/** The title of a column is not broken, and so has to be short. */
const shortened = (name: string) =>
  name.length > LONGEST_TITLE ? `${name.slice(0, LONGEST_TITLE - 1)}…` : name;

const linkTo = ({ code }: Row) => el('a', { href: hashOf(code) }, code);

/** Below zero is told by a sign, a mark and a word for those who hear it, and by colour only as well. */
export const balanceCell = (balance: number, unit = '') => {
  const text = unit ? `${amount(balance)} ${unit}` : amount(balance);
  if (balance >= 0) return text;
  return el('span', { class: 'below' }, text, el('span', { class: 'hidden' }, ' (below zero)'));
};

/** A row leads where its link does; to mark a piece of its text is no click. */
const followRows = (table: HTMLElement) => {
  table.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('a, button')) return;
    if (getSelection()?.isCollapsed === false) return;
    target.closest('tr.row')?.querySelector('a')?.click();
  });
};

export const markChosen = (code: string | undefined) => {
  chosen = code;
  for (const row of byId('balances-table').querySelectorAll('tr.row')) {
    if (row.getAttribute('data-code') === code) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
};
