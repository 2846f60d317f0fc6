import { counted, joinFirstNames } from '../../../cli/words.ts';
import { Amount } from '../components/amount.tsx';
import { Age, Notice, When } from '../components/controls.tsx';
import type { Column } from '../components/data-table.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { formatDay } from '../format.ts';
import type { Model, Point, Row } from '../model.ts';
import { hrefTo } from '../route.ts';

export const balanceColumns = (decimals: number): Column<Point>[] => [
  {
    title: 'Balance',
    kind: 'number',
    sort: 'balance',
    cell: ({ balance }) => <Amount value={balance} decimals={decimals} />,
  },
  { title: 'Unit', kind: 'word', sort: 'unit', cell: ({ unit }) => unit },
];

export const rowColumns = ({ data, decimals }: Model): Column<Row>[] => [
  ...balanceColumns(decimals),
  {
    title: 'Latest change',
    kind: 'number',
    sort: 'change',
    cell: (row) => <Change by={movementOf(row).by} decimals={decimals} />,
  },
  { title: 'Changed', kind: 'word', sort: 'changed', cell: (row) => age(movementOf(row), data.asOf) },
  { title: 'Trend', kind: 'word', cell: ({ points }) => <Sparkline points={points} data={data} /> },
  {
    title: 'Purchase orders',
    sort: 'orders',
    cell: ({ orders }) =>
      orders.flatMap((order) => [
        <a key={order} class="order" href={hrefTo('materials', [], { order })}>
          {order}
        </a>,
        ' ',
      ]),
  },
  { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
];

/** The newest point with a change. The first point in a unit has no `by`. */
const movementOf = (row: Row) => row.points.findLast(({ by }) => by !== 0) ?? row;
const age = ({ at, by }: Point, now: number) => by !== undefined && <Age at={at} now={now} />;

export const Change = ({ by, decimals }: { by: number | undefined; decimals: number }) =>
  by ? <Amount value={by} decimals={decimals} isChange /> : null;

export const HistoryNotes = ({ data }: { data: Model['data'] }) => {
  const { clients, historySince, since, thinnedToDays, damaged } = data;
  const shortened = clients.filter((_, client) => (historySince[client] ?? since) > since);
  const notes = [
    shortened.length > 0 &&
      `There are too many snapshots for the whole period. The history of ${joinFirstNames(shortened)} starts later, on ${formatDay(Math.max(...historySince))} at the latest.`,
    thinnedToDays > 0 &&
      `There are too many changes to show all. The history has the last change of every ${counted(thinnedToDays, 'day')}.`,
    damaged.length > 0 &&
      `${counted(damaged.length, 'snapshot')} could not be read and left out: ${joinFirstNames(damaged)}`,
  ];
  return notes.map((note) => note && <Notice key={note}>{note}</Notice>);
};
