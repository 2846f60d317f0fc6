import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StockBalanceEntry } from '../../../../shared/schemas/stock-balance.ts';
import { counted, grouped } from '../../../cli/words.ts';
import type { Batch } from '../../api.ts';
import { Amount, decimalsIn } from '../components/amount.tsx';
import { Age, Notice, Search, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { formatSecond } from '../format.ts';
import { fold, type Model, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { useAnswer } from '../use-answer.ts';
import { hrefToComparison, type ListedBatch, nameOf } from './listed-batch.ts';

type Props = {
  model: Model;
  query: URLSearchParams;
  batches: readonly ListedBatch[];
  client: string;
  id: string;
};

export const BatchPage = ({ model, query, batches, client, id }: Props) => {
  const { answer: batch, failure } = useBatch(nameOf({ client, id }));
  if (failure !== undefined) return <NoBatch failure={failure} />;
  if (batch === undefined) return <p role="status">Reading…</p>;
  const { snapshotId, receivedAt, requestId, entries } = batch;
  const before = batches.find((listed) => listed.client === client && listed.id === snapshotId)?.before;
  return (
    <>
      <h2>
        {client}, {formatSecond(receivedAt)}
      </h2>
      <dl class="facts">
        <Fact title="Received">
          <When at={receivedAt} /> <Age at={receivedAt} now={model.data.madeAt} />
        </Fact>
        <Fact title="Entries">{grouped(entries.length)}</Fact>
        <Fact title="Batch">
          <code>{snapshotId}</code>
        </Fact>
        <Fact title="Request">
          <code>{requestId}</code>
        </Fact>
      </dl>
      <p class="flow">
        {before && (
          <a href={hrefToComparison(nameOf(before), nameOf({ client, id: snapshotId }))}>
            Compare with the one before
          </a>
        )}
        <a href={hrefTo('batches', [client])}>All batches of {client}</a>
      </p>
      <Entries model={model} entries={entries} wanted={query.get('q') ?? ''}>
        <Download what="this batch" path={['batches', client, snapshotId]} />
      </Entries>
    </>
  );
};

type EntriesProps = {
  model: Model;
  entries: Batch['entries'];
  wanted: string;
  children: ComponentChildren;
};

const Entries = ({ model, entries, wanted, children }: EntriesProps) => {
  const decimals = useMemo(() => decimalsIn(entries.map(({ StockBalance }) => StockBalance)), [entries]);
  const rows = useMemo(() => {
    const matches = matcher(wanted);
    return entries.filter((entry) =>
      matches(fold([entry.MaterialCode, entry.StockBalanceUnit, ...entry.PurchaseOrders].join(' '))),
    );
  }, [entries, wanted]);
  const columns: Column<StockBalanceEntry>[] = [
    {
      title: 'Material',
      kind: 'head',
      cell: ({ MaterialCode }) => linkMaterial(model, MaterialCode),
    },
    {
      title: 'Balance',
      kind: 'number',
      cell: ({ StockBalance }) => <Amount value={StockBalance} decimals={decimals} />,
    },
    { title: 'Unit', kind: 'word', cell: ({ StockBalanceUnit }) => StockBalanceUnit },
    { title: 'Purchase orders', kind: 'prose', cell: ({ PurchaseOrders }) => PurchaseOrders.join(' ') },
  ];
  return (
    <>
      <div class="flow bar">
        <EntrySearch value={wanted} />
        <p class="soft small" role="status">
          {counted(rows.length, 'entry', 'entries')}
        </p>
        {children}
      </div>
      <DataTable caption="Entries of the batch" columns={columns} rows={rows} />
    </>
  );
};

export const EntrySearch = ({ value }: { value: string }) => (
  <Search
    label="Search"
    placeholder="Code, unit or order"
    value={value}
    onInput={(q) => replaceQuery({ q })}
  />
);

/** By `CLIENT/ID`. */
export const useBatch = (name: string) =>
  useAnswer<Batch>(`batches/${name.split('/', 2).map(encodeURIComponent).join('/')}`);

export const NoBatch = ({ failure }: { failure: string }) => (
  <Notice kind="error">
    {failure} <a href={hrefTo('batches')}>See all batches.</a>
  </Notice>
);

export const Fact = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** An old batch may name a material that no batch of the period has. */
export const linkMaterial = (model: Model, code: string) =>
  model.hasMaterial(code) ? <a href={hrefTo('materials', [code])}>{code}</a> : code;
