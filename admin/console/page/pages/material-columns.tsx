import { Fragment } from 'preact';
import { Amount } from '../components/amount.tsx';
import { Age, When } from '../components/controls.tsx';
import type { Column } from '../components/data-table.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { formatSecond } from '../format.ts';
import type { Model, Point, Row } from '../model.ts';
import { hrefTo } from '../route.ts';

const LONGEST_TITLE = 20;

/** The code, and the first columns that an admin has stored. Links keep the filters, for the way back. */
export const materialColumns = <TRow extends Pick<Row, 'material' | 'code'>>(
  { data, attributeOf }: Model,
  query: URLSearchParams,
  attributes: number,
): Column<TRow>[] => {
  const search = hrefTo('materials', [], Object.fromEntries(query)).replace(/^[^?]*/, '');
  const linkTo = (code: string) => <a href={`#/materials/${encodeURIComponent(code)}${search}`}>{code}</a>;
  return [
    { title: 'Material', kind: 'head', sort: 'code', cell: ({ code }) => linkTo(code) },
    ...data.materials.attributes.slice(0, attributes).map(({ name }, index) => ({
      title: name.length > LONGEST_TITLE ? `${name.slice(0, LONGEST_TITLE - 1)}…` : name,
      sort: `attribute-${index}`,
      cell: (row: TRow) => attributeOf(index, row),
    })),
  ];
};

export const balanceColumns = <TRow extends Point>(model: Model): Column<TRow>[] => [
  {
    title: 'Balance',
    kind: 'number',
    sort: 'balance',
    cell: ({ balance }) => <Amount value={balance} decimals={model.decimals()} />,
  },
  { title: 'Unit', kind: 'word', sort: 'unit', cell: ({ unit }) => unit },
];

export const rowColumns = (model: Model): Column<Row>[] => {
  const { movementOf, pointsOf, decimals, data } = model;
  const change = (by: number | undefined) =>
    by !== undefined && <Amount value={by} decimals={decimals()} isChange />;
  const age = (at: number | undefined) =>
    at !== undefined && (
      <span title={formatSecond(at)}>
        <Age at={at} now={data.asOf} />
      </span>
    );
  return [
    ...balanceColumns<Row>(model),
    { title: 'Latest change', kind: 'number', sort: 'change', cell: (row) => change(movementOf(row)?.by) },
    { title: 'Changed', kind: 'word', sort: 'changed', cell: (row) => age(movementOf(row)?.at) },
    { title: 'Trend', kind: 'word', cell: (row) => <Sparkline points={pointsOf(row)} data={data} /> },
    { title: 'Purchase orders', sort: 'orders', cell: ({ orders }) => <Orders orders={orders} /> },
    { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
  ];
};

/** Each order leads to the materials that it is for. */
const Orders = ({ orders }: { orders: string }) =>
  orders
    .split(' ')
    .filter(Boolean)
    .map((order) => (
      <Fragment key={order}>
        <a class="order" href={hrefTo('materials', [], { order })}>
          {order}
        </a>{' '}
      </Fragment>
    ));
