import { counted } from '../../cli/words.ts';
import { byId, el, hiddenText, inputById, receiptCell } from './dom.ts';
import { formatAmount, formatDay, hashOf } from './format.ts';
import { compare, type Model, matcher, type Row } from './model.ts';
import { type Column, createTable } from './table.ts';

/** More would leave no room for the balances. The history of a material shows all attributes. */
const ATTRIBUTE_COLUMNS = 2;
const LONGEST_TITLE = 20;

type SortedColumn = Column<Row> & { key: (row: Row) => string | number };

/** The material whose history is shown, for rows that are drawn later. */
let chosen: string | undefined;

export const showBalances = (model: Model) => {
  const { data, rows } = model;
  byId('balances-lead').textContent =
    `The newest statement of each client about each material, from ${formatDay(data.since)} on. ` +
    'Older statements are not on this page. Ages are as of the making of this page.';
  const columns = columnsFor(model);
  let sorted = 0;
  let isDescending = false;
  let inOrder = rows;

  const table = createTable<Row>({
    parent: byId('balances-rows'),
    id: 'balances-table',
    caption: 'Latest balances by material and client. The titles of the columns sort.',
    columns,
    onSort: (column) => {
      isDescending = column === sorted && !isDescending;
      sorted = column;
      inOrder = sortedBy(rows, columns[column], isDescending);
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
    const found = inOrder.filter(({ haystack }) => matches(haystack));
    table.markSorted(sorted, isDescending ? 'descending' : 'ascending');
    table.show(found);
    const all = counted(rows.length, 'balance');
    const matching = `${counted(found.length, 'match', 'matches')} of ${all}`;
    byId('balances-count').textContent = found.length < rows.length ? matching : all;
  };
  search.addEventListener('input', show);
  byId('balances-rows').addEventListener('click', followRow);
  show();
};

const columnsFor = ({ data, attributeOf }: Model): SortedColumn[] => {
  const textColumn = (title: string, key: (row: Row) => string, kind?: 'word'): SortedColumn => ({
    title,
    cell: key,
    key,
    ...(kind && { kind }),
  });
  return [
    { title: 'Material', kind: 'head', cell: linkTo, key: ({ code }) => code },
    ...data.materials.attributes
      .slice(0, ATTRIBUTE_COLUMNS)
      .map(({ name }, index) => textColumn(shorten(name), (row) => attributeOf(index, row))),
    textColumn('Client', ({ client }) => client, 'word'),
    {
      title: 'Balance',
      kind: 'number',
      cell: ({ balance }) => balanceCell(balance),
      key: ({ balance }) => balance,
    },
    textColumn('Unit', ({ unit }) => unit, 'word'),
    textColumn('Purchase orders', ({ orders }) => orders),
    {
      title: 'Received (UTC)',
      kind: 'number',
      cell: ({ at }) => receiptCell(at, data.madeAt),
      key: ({ at }) => at,
    },
  ];
};

const sortedBy = (rows: readonly Row[], column: SortedColumn | undefined, isDescending: boolean) => {
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: column?.key(row) ?? 0 }));
  return keyed.sort((a, b) => sign * compareKeys(a.key, b.key)).map(({ row }) => row);
};

const compareKeys = (one: string | number, other: string | number) =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));

/** The title of a column is not broken into lines. */
const shorten = (name: string) =>
  name.length > LONGEST_TITLE ? `${name.slice(0, LONGEST_TITLE - 1)}…` : name;

const linkTo = ({ code }: Row) => el('a', { href: hashOf(code) }, code);

/** A sign, a mark, a colour and a word for screen readers show a balance below zero. */
export const balanceCell = (balance: number, unit = '') => {
  const text = `${formatAmount(balance)} ${unit}`.trim();
  return balance < 0 ? el('span', { class: 'below' }, text, hiddenText(' (below zero)')) : text;
};

/** A click on a row follows its link, unless it selects text. */
const followRow = ({ target }: Event) => {
  if (!(target instanceof Element) || target.closest('a, button')) return;
  if (getSelection()?.isCollapsed !== false) target.closest('tr.row')?.querySelector('a')?.click();
};

export const markChosen = (code: string | undefined) => {
  chosen = code;
  for (const row of byId('balances-table').querySelectorAll('tr.row')) {
    row.ariaCurrent = row.getAttribute('data-code') === code ? 'true' : null;
  }
};
