import { useEffect, useMemo, useRef } from 'preact/hooks';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Amount } from '../components/amount.tsx';
import { When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import type { Model, Row } from '../model.ts';
import { hrefTo } from '../route.ts';
import { finderOf, type Total } from '../row-finder.ts';
import { HistoryNotes } from './history-notes.tsx';
import { MaterialsFilter } from './materials-filter.tsx';
import { readMaterialsQuery, replaceSort } from './materials-query.ts';

export const MaterialsPage = (props: PageProps) => {
  const box = useRef<HTMLDivElement>(null);
  const { isTotals } = readMaterialsQuery(props.route.query);
  const address = props.route.query.toString();
  useEffect(() => box.current?.querySelector('.scroll')?.scrollTo({ top: 0 }), [address]);
  return (
    <div ref={box}>
      <HistoryNotes data={props.model.data} />
      <MaterialsFilter {...props} />
      {isTotals ? <Totals {...props} /> : <Balances {...props} />}
    </div>
  );
};

/** Links to a material keep the filters, for the way back. */
const linkTo = ({ query }: PageProps['route'], code: string) => (
  <a href={hrefTo('materials', [code], Object.fromEntries(query))}>{code}</a>
);

const Balances = ({ model, route }: PageProps) => {
  const address = route.query.toString();
  const { filters, sort } = readMaterialsQuery(route.query);
  const found = useMemo(() => finderOf(model).find(filters, sort), [model, address]);
  const at = (index: number) => {
    const row = found[index];
    return row === undefined ? undefined : model.rowAt(row);
  };
  const decimals = model.decimals();
  const { since, asOf } = model.data;
  const columns: Column<Row>[] = [
    { title: 'Material', kind: 'head', sort: 'code', cell: ({ code }) => linkTo(route, code) },
    ...attributeColumns<Row>(model, 1),
    { title: 'Warehouse', kind: 'word', sort: 'warehouse', cell: ({ client }) => client },
    {
      title: 'Balance',
      kind: 'number',
      sort: 'balance',
      cell: ({ balance }) => <Amount value={balance} decimals={decimals} />,
    },
    { title: 'Unit', kind: 'word', sort: 'unit', cell: ({ unit }) => unit },
    {
      title: 'Latest change',
      kind: 'number',
      sort: 'change',
      cell: (row) => {
        const movement = model.movementOf(row);
        return movement && <Amount value={movement.by} decimals={decimals} isChange />;
      },
    },
    {
      title: 'Changed',
      kind: 'word',
      sort: 'changed',
      cell: (row) => {
        const movement = model.movementOf(row);
        return movement && <When at={movement.at} />;
      },
    },
    {
      title: 'Trend',
      kind: 'word',
      cell: (row) => <Sparkline points={model.pointsOf(row)} since={since} until={asOf} />,
    },
    { title: 'Purchase orders', sort: 'orders', cell: ({ orders }) => <Orders orders={orders} /> },
    { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
  ];
  return (
    <>
      <Count found={found.length} all={model.rowCount} one="balance" />
      <DataTable
        caption="The latest balance of each material in each warehouse"
        columns={columns}
        rows={{ length: found.length, at }}
        sort={sort}
        onSort={replaceSort}
      />
    </>
  );
};

const Totals = ({ model, route }: PageProps) => {
  const address = route.query.toString();
  const { filters, sort } = readMaterialsQuery(route.query);
  const found = useMemo(() => finderOf(model).findTotals(filters, sort), [model, address]);
  const columns: Column<Total>[] = [
    { title: 'Material', kind: 'head', sort: 'code', cell: ({ code }) => linkTo(route, code) },
    ...attributeColumns<Total>(model, 2),
    { title: 'Warehouses', kind: 'number', sort: 'warehouse', cell: ({ rows }) => grouped(rows) },
    {
      title: 'Total balance',
      kind: 'number',
      sort: 'balance',
      cell: ({ sums }) =>
        sums.map(({ unit, balance }) => (
          <div key={unit}>
            <Amount value={balance} decimals={model.decimals()} />
          </div>
        )),
    },
    {
      title: 'Unit',
      kind: 'word',
      sort: 'unit',
      cell: ({ sums }) => sums.map(({ unit }) => <div key={unit}>{unit}</div>),
    },
    {
      title: 'Note',
      kind: 'word',
      cell: ({ sums }) => sums.length > 1 && <span class="mark">Different units are not added</span>,
    },
    { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
  ];
  return (
    <>
      <Count found={found.length} all={model.data.materials.code.length} one="material" />
      <DataTable
        caption="The total of each material in the warehouses of the filter"
        columns={columns}
        rows={found}
        sort={sort}
        onSort={replaceSort}
      />
    </>
  );
};

const LONGEST_TITLE = 20;

/** The first columns that an admin has stored. A material's own page has all. */
const attributeColumns = <TRow extends Pick<Row, 'material'>>(model: Model, count: number): Column<TRow>[] =>
  model.data.materials.attributes.slice(0, count).map(({ name }, index) => ({
    title: name.length > LONGEST_TITLE ? `${name.slice(0, LONGEST_TITLE - 1)}…` : name,
    sort: `attribute-${index}`,
    cell: (row) => model.attributeOf(index, row),
  }));

const Orders = ({ orders }: { orders: string }) => {
  const all = orders.split(' ').filter(Boolean);
  return all.map((order) => (
    <a key={order} class="order" href={hrefTo('materials', [], { order })}>
      {order}
    </a>
  ));
};

const Count = ({ found, all, one }: { found: number; all: number; one: string }) => (
  <p class="soft small" role="status">
    {found < all ? `${grouped(found)} of ${counted(all, one)}` : counted(all, one)}
  </p>
);
