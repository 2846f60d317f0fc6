import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StockBalanceEntry } from '../../../../shared/schemas/stock-balance.ts';
import type { Difference } from '../../../snapshots/compare-snapshots.ts';
import { Amount } from '../components/amount.tsx';
import { Search } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { difference } from '../format.ts';
import { fold, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';

/** An entry of one batch, or a difference between two. */
type Row = Omit<Difference, 'change'> & Partial<Difference>;

type Props = {
  caption: string;
  query: URLSearchParams;
  rows: readonly Row[];
  isComparison?: boolean;
  children: ComponentChildren;
};

export const EntryTable = ({ caption, query, rows, isComparison = false, children }: Props) => {
  const columns = useMemo(() => columnsFor(rows, isComparison), [rows, isComparison]);
  const matches = matcher(query.get('q') ?? '');
  return (
    <>
      <div class="flow bar">
        <Search
          label="Search"
          placeholder={isComparison ? 'Code, change, unit or order' : 'Code, unit or order'}
          value={query.get('q') ?? ''}
          onInput={(q) => replaceQuery({ q })}
        />
        {children}
      </div>
      <DataTable caption={caption} columns={columns} rows={rows.filter((row) => matches(textOf(row)))} />
    </>
  );
};

const columnsFor = (rows: readonly Row[], isComparison: boolean): Column<Row>[] => {
  const decimals = rows
    .flatMap(({ before, after }) => [before, after])
    .map((entry) => String(entry?.StockBalance ?? 0).split('.')[1]?.length ?? 0)
    .reduce((most, count) => Math.max(most, count), 0);
  const amountOf = (value: number | undefined, isChange = false) =>
    value !== undefined && <Amount value={value} decimals={decimals} isChange={isChange} />;
  const after: Column<Row> = {
    title: isComparison ? 'After' : 'Balance',
    kind: 'number',
    cell: (row) => amountOf(row.after?.StockBalance),
  };
  const comparison: Column<Row>[] = [
    { title: 'Change', kind: 'word', cell: ({ change }) => change },
    { title: 'Before', kind: 'number', cell: ({ before }) => amountOf(before?.StockBalance) },
    after,
    { title: 'Difference', kind: 'number', cell: (row) => amountOf(differenceOf(row), true) },
  ];
  return [
    {
      title: 'Material',
      kind: 'head',
      cell: ({ materialCode: code }) => <a href={hrefTo('materials', [code])}>{code}</a>,
    },
    ...(isComparison ? comparison : [after]),
    { title: 'Unit', kind: 'word', cell: unitsOf },
    { title: 'Purchase orders', kind: 'prose', cell: ordersOf },
  ];
};

/** Amounts in two units have no difference. */
const differenceOf = ({ before, after }: Row) =>
  before && after && before.StockBalanceUnit === after.StockBalanceUnit
    ? difference(after.StockBalance, before.StockBalance)
    : undefined;

const bothOf = ({ before, after }: Row, textOf: (entry: StockBalanceEntry) => string) => {
  const entries = [before ?? after, after ?? before].filter((entry) => entry !== undefined);
  return [...new Set(entries.map((entry) => textOf(entry) || 'none'))].join(' → ');
};

const unitsOf = (row: Row) => bothOf(row, ({ StockBalanceUnit }) => StockBalanceUnit);
const ordersOf = (row: Row) => bothOf(row, ({ PurchaseOrders }) => PurchaseOrders.join(' '));

const textOf = (row: Row) => fold([row.materialCode, row.change, unitsOf(row), ordersOf(row)].join(' '));
