import { useEffect, useMemo, useRef } from 'preact/hooks';
import { kinds } from '../../../check/finding.ts';
import { counted, grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Amount } from '../components/amount.tsx';
import { Chip, Choice, Search, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import type { Model, Row } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { createFinder, type Group, sortOf, sumByUnit } from '../row-finder.ts';
import { HistoryNotes, rowColumns } from './material-columns.tsx';

export const MaterialsPage = ({ model, route: { query } }: PageProps) => {
  const { data } = model;
  const box = useRef<HTMLDivElement>(null);
  const address = query.toString();
  useEffect(() => box.current?.querySelector('.scroll')?.scrollTo({ top: 0 }), [address]);
  const find = useMemo(() => createFinder(model), [model]);
  const rows = useMemo(() => find(query), [find, address]);
  const client = query.get('warehouse');
  const isTotals = query.get('show') === 'totals';
  const all = isTotals ? counted(data.materials.code.length, 'material') : counted(model.rowCount, 'balance');
  const showTotals = (show?: string) => replaceQuery({ show, sort: undefined });
  const warehouse = ({ client, rows }: Group) => (isTotals ? grouped(rows.length) : client);
  const columns: Column<Group>[] = [
    {
      title: 'Material',
      kind: 'head',
      sort: 'code',
      cell: ({ code }) => <a href={hrefTo('materials', [code], Object.fromEntries(query))}>{code}</a>,
    },
    ...data.materials.attributes.slice(0, isTotals ? 2 : 1).map(({ name }, index) => ({
      title: name,
      sort: `attribute-${index}`,
      cell: ({ attributes }: Row) => attributes[index],
    })),
    { title: isTotals ? 'Warehouses' : 'Warehouse', kind: 'word', sort: 'warehouse', cell: warehouse },
    ...(isTotals ? totalColumns(model) : rowColumns(model)),
  ];
  return (
    <div ref={box} class="materials">
      <HistoryNotes data={data} />
      <Filters model={model} query={query} />
      <div class="flow bar">
        <p class="soft small" role="status">
          {all.startsWith(`${grouped(rows.length)} `) ? all : `${grouped(rows.length)} of ${all}`}
        </p>
        <fieldset class="flow">
          <legend class="hidden">Rows</legend>
          <Chip isPressed={!isTotals} onClick={() => showTotals()}>
            By warehouse
          </Chip>
          <Chip isPressed={isTotals} onClick={() => showTotals('totals')}>
            Totals
          </Chip>
        </fieldset>
      </div>
      <DataTable
        key={isTotals}
        caption={isTotals ? 'Totals by material' : 'Balances by material and warehouse'}
        columns={columns}
        rows={rows}
        sort={sortOf(query)}
        onSort={({ by, isDescending }) => replaceQuery({ sort: `${isDescending ? '-' : ''}${by}` })}
      />
      <Download
        what={client ? `the balances of ${client}` : 'all balances'}
        path={['balances']}
        query={{ client, at: query.get('at') }}
      />
    </div>
  );
};

const Filters = ({ model: { data }, query }: { model: Model; query: URLSearchParams }) => {
  const found = new Set<string>(data.findings.map(({ kind }) => kind));
  const explanations: Record<string, string> = { any: 'Any finding', ...kinds };
  const propsOf = (name: string) => ({
    value: query.get(name) ?? '',
    onInput: (value: string) => replaceQuery({ [name]: value }),
    onChange: (value: string) => replaceQuery({ [name]: value }),
  });
  return (
    <search class="filters">
      <Search label="Search" placeholder="Code, name, order or warehouse" {...propsOf('q')} />
      <Choice label="Warehouse" all="All warehouses" values={data.clients} {...propsOf('warehouse')} />
      <Choice label="Unit" all="All units" values={data.units} {...propsOf('unit')} />
      <Search label="Purchase order" placeholder="All orders" {...propsOf('order')} />
      <Choice
        label="Findings"
        all="With and without"
        values={Object.keys(explanations).filter((kind) => kind === 'any' || found.has(kind))}
        nameOf={(kind) => explanations[kind] ?? kind}
        {...propsOf('finding')}
      />
    </search>
  );
};

/** Balances in different units are not added: each unit has a line. */
const totalColumns = (model: Model): Column<Group>[] => [
  {
    title: 'Total balance',
    kind: 'number',
    sort: 'balance',
    cell: ({ rows }) =>
      sumByUnit(rows).map(({ unit, balance }) => (
        <div key={unit}>
          <Amount value={balance} decimals={model.decimals} />
        </div>
      )),
  },
  {
    title: 'Unit',
    kind: 'word',
    sort: 'unit',
    cell: ({ rows }) => sumByUnit(rows).map(({ unit }) => <div key={unit}>{unit}</div>),
  },
  { title: 'Received', kind: 'word', sort: 'received', cell: ({ at }) => <When at={at} /> },
];
