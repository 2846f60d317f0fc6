import { useEffect, useMemo, useRef } from 'preact/hooks';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Amount } from '../components/amount.tsx';
import { Chip, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import type { Model, Row } from '../model.ts';
import { replaceQuery } from '../route.ts';
import { finderOf, type Total } from '../row-finder.ts';
import { HistoryNotes } from './history-notes.tsx';
import { materialColumns, rowColumns } from './material-columns.tsx';
import { MaterialsFilter } from './materials-filter.tsx';
import { readMaterialsQuery, replaceSort } from './materials-query.ts';

export const MaterialsPage = ({ model, route: { query } }: PageProps) => {
  const box = useRef<HTMLDivElement>(null);
  const address = query.toString();
  useEffect(() => box.current?.querySelector('.scroll')?.scrollTo({ top: 0 }), [address]);
  const { filters, isTotals } = readMaterialsQuery(query);
  const List = isTotals ? Totals : Balances;
  return (
    <div ref={box} class="materials">
      <HistoryNotes data={model.data} />
      <MaterialsFilter data={model.data} filters={filters} />
      <List model={model} query={query} address={address} />
      <Download
        what="the balances"
        path={['balances']}
        query={{ client: filters.client, at: query.get('at') }}
      />
    </div>
  );
};

type ListProps = { model: Model; query: URLSearchParams; address: string };

const Balances = ({ model, query, address }: ListProps) => {
  const { filters, sort } = readMaterialsQuery(query);
  const found = useMemo(() => finderOf(model).find(filters, sort), [model, address]);
  const columns: Column<Row>[] = [
    ...materialColumns<Row>(model, query, 1),
    { title: 'Warehouse', kind: 'word', sort: 'warehouse', cell: ({ client }) => client },
    ...rowColumns(model),
  ];
  const at = (index: number) => {
    const row = found[index];
    return row === undefined ? undefined : model.rowAt(row);
  };
  const rows = { length: found.length, at };
  const caption = 'The latest balance of each material in each warehouse';
  return (
    <>
      <Bar count={found.length} of={counted(model.rowCount, 'balance')} isTotals={false} />
      <DataTable caption={caption} columns={columns} rows={rows} sort={sort} onSort={replaceSort} />
    </>
  );
};

const Totals = ({ model, query, address }: ListProps) => {
  const { filters, sort } = readMaterialsQuery(query);
  const found = useMemo(() => finderOf(model).findTotals(filters, sort), [model, address]);
  const amount = ({ unit, balance }: Total['sums'][number]) => (
    <div key={unit}>
      <Amount value={balance} decimals={model.decimals()} />
    </div>
  );
  const unit = ({ unit }: Total['sums'][number]) => <div key={unit}>{unit}</div>;
  const mark = <span class="mixed">Different units are not added</span>;
  const columns: Column<Total>[] = [
    ...materialColumns<Total>(model, query, 2),
    { title: 'Warehouses', kind: 'number', sort: 'warehouse', cell: ({ rows }) => grouped(rows) },
    { title: 'Total balance', kind: 'number', sort: 'balance', cell: ({ sums }) => sums.map(amount) },
    { title: 'Unit', kind: 'word', sort: 'unit', cell: ({ sums }) => sums.map(unit) },
    { title: 'Note', kind: 'word', cell: ({ sums }) => sums.length > 1 && mark },
    { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
  ];
  const caption = 'The total of each material over the warehouses';
  return (
    <>
      <Bar count={found.length} of={counted(model.data.materials.code.length, 'material')} isTotals />
      <DataTable caption={caption} columns={columns} rows={found} sort={sort} onSort={replaceSort} />
    </>
  );
};

const Bar = ({ count, of, isTotals }: { count: number; of: string; isTotals: boolean }) => (
  <div class="flow bar">
    <p class="soft small" role="status">
      {of.startsWith(`${grouped(count)} `) ? of : `${grouped(count)} of ${of}`}
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
