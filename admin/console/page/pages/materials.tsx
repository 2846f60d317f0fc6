import { useEffect, useMemo, useRef } from 'preact/hooks';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Amount } from '../components/amount.tsx';
import { Chip, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import type { Row } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { finderOf, type Total } from '../row-finder.ts';
import { HistoryNotes } from './history-notes.tsx';
import { attributeColumns, movementColumns, Orders } from './material-columns.tsx';
import { MaterialsFilter } from './materials-filter.tsx';
import { readMaterialsQuery, replaceSort } from './materials-query.ts';

export const MaterialsPage = (props: PageProps) => {
  const box = useRef<HTMLDivElement>(null);
  const { isTotals } = readMaterialsQuery(props.route.query);
  const address = props.route.query.toString();
  useEffect(() => box.current?.querySelector('.scroll')?.scrollTo({ top: 0 }), [address]);
  return (
    <div ref={box} class="materials">
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
    ...movementColumns(model),
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
      <Bar found={found.length} all={model.rowCount} one="balance" />
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
      cell: ({ sums }) => sums.length > 1 && <span class="mixed">Different units are not added</span>,
    },
    { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
  ];
  return (
    <>
      <Bar found={found.length} all={model.data.materials.code.length} one="material" isTotals />
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

type BarProps = { found: number; all: number; one: string; isTotals?: boolean };

const Bar = ({ found, all, one, isTotals = false }: BarProps) => (
  <div class="flow bar">
    <p class="soft small" role="status">
      {found < all ? `${grouped(found)} of ${counted(all, one)}` : counted(all, one)}
    </p>
    <fieldset class="flow">
      <legend class="hidden">Rows</legend>
      <Chip isPressed={!isTotals} onClick={() => replaceQuery({ show: undefined, sort: undefined })}>
        By warehouse
      </Chip>
      <Chip isPressed={isTotals} onClick={() => replaceQuery({ show: 'totals', sort: undefined })}>
        Totals
      </Chip>
    </fieldset>
  </div>
);
