import { useMemo } from 'preact/hooks';
import type { StockBalanceEntry } from '../../../../shared/schemas/stock-balance.ts';
import { counted } from '../../../cli/words.ts';
import type { Batch } from '../../api.ts';
import { Amount } from '../components/amount.tsx';
import { Age, Notice, Search, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { fold, type Model, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { useAnswer } from '../use-answer.ts';
import { hrefToComparison, type ListedBatch } from './listed-batch.ts';

type Props = { model: Model; query: URLSearchParams; batches: readonly ListedBatch[]; name: string };

export const BatchPage = ({ model, query, batches, name }: Props) => {
  const { answer, failure } = useBatch(name);
  const columns = useMemo(() => answer && columnsFor(model, answer.entries), [model, answer]);
  if (answer === undefined || columns === undefined) return <Waiting failure={failure} />;
  const { client, snapshotId, receivedAt, requestId, entries } = answer;
  const listed = batches.find((batch) => batch.client === client && batch.id === snapshotId);
  const matches = matcher(query.get('q') ?? '');
  const rows = entries.filter(({ MaterialCode, StockBalanceUnit, PurchaseOrders }) =>
    matches(fold([MaterialCode, StockBalanceUnit, ...PurchaseOrders].join(' '))),
  );
  return (
    <>
      <h2>
        {client}, <When at={receivedAt} /> <Age at={receivedAt} now={Date.now()} />
      </h2>
      <p class="soft small">
        {counted(entries.length, 'entry', 'entries')}. Batch {snapshotId}, request {requestId}.
      </p>
      <p class="flow">
        {listed?.before && <a href={hrefToComparison(listed.before, listed)}>Compare with the one before</a>}
        <a href={hrefTo('batches', [client])}>All batches of {client}</a>
      </p>
      <div class="flow bar">
        <EntrySearch query={query} />
        <Download what="this batch" path={['batches', client, snapshotId]} />
      </div>
      <DataTable caption="Entries of the batch" columns={columns} rows={rows} />
    </>
  );
};

const columnsFor = (model: Model, entries: Batch['entries']): Column<StockBalanceEntry>[] => {
  const decimals = decimalsIn(entries.map(({ StockBalance }) => StockBalance));
  return [
    { title: 'Material', kind: 'head', cell: ({ MaterialCode }) => linkMaterial(model, MaterialCode) },
    {
      title: 'Balance',
      kind: 'number',
      cell: ({ StockBalance }) => <Amount value={StockBalance} decimals={decimals} />,
    },
    { title: 'Unit', kind: 'word', cell: ({ StockBalanceUnit }) => StockBalanceUnit },
    { title: 'Purchase orders', kind: 'prose', cell: ({ PurchaseOrders }) => PurchaseOrders.join(' ') },
  ];
};

/** By `CLIENT/ID`. */
export const useBatch = (name: string) =>
  useAnswer<Batch>(`batches/${name.split('/').map(encodeURIComponent).join('/')}`);

export const Waiting = ({ failure }: { failure: string | undefined }) =>
  failure === undefined ? <p role="status">Reading…</p> : <Notice kind="error">{failure}</Notice>;

export const EntrySearch = ({ query }: { query: URLSearchParams }) => (
  <Search
    label="Search"
    placeholder="Code, unit or order"
    value={query.get('q') ?? ''}
    onInput={(q) => replaceQuery({ q })}
  />
);

/** The most digits after the decimal sign, which all numbers of a column get space for. */
export const decimalsIn = (values: readonly number[]) =>
  values.reduce((most, value) => Math.max(most, String(value).split('.')[1]?.length ?? 0), 0);

/** An old batch may name a material that no batch of the period has. */
export const linkMaterial = (model: Model, code: string) =>
  model.hasMaterial(code) ? <a href={hrefTo('materials', [code])}>{code}</a> : code;
