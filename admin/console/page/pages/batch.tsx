import { Age, Waiting } from '../components/controls.tsx';
import { SearchField } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { countOf, formatSecond } from '../format.ts';
import { hrefTo, pick, useRoute } from '../route.ts';
import { useFirstRows, useStock } from '../use-stock.ts';

/** The row of one batch, which an address names `CLIENT/ID`. */
const useBatch = (name: string) => {
  const slash = name.indexOf('/');
  const [client, id] = [name.slice(0, slash), name.slice(slash + 1)];
  const { rows = [], ...reading } = useFirstRows('batches', { client, id, limit: '1' });
  const [batch] = rows.map(({ ReceivedAt, EntryCount, RequestId: request, State: state }) => ({
    ...{ name, client, id, request, state },
    at: Number(ReceivedAt),
    entries: Number(EntryCount),
  }));
  return { batch, ...reading };
};

type BatchState = ReturnType<typeof useBatch>;

export const BatchPage = ({ client, id }: { client: string; id: string }) => {
  const search = pick(useRoute().parameters, ['search']);
  const { batch, ...state } = useBatch(`${client}/${id}`);
  if (!batch) return <Missing {...state} />;
  return (
    <>
      <BatchTitle batch={batch} />
      <p class="soft small">
        Batch {batch.id}, request {batch.request}.{' '}
        <a href={hrefTo('batches', [client], { one: batch.name })}>Compare with another batch…</a>
      </p>
      {batch.state !== 'loaded' && (
        <p>{batch.state === 'damaged' ? 'This batch cannot be read.' : 'This batch is still being read.'}</p>
      )}
      <div class="filters">
        <SearchField placeholder="Code or order" />
      </div>
      <StockTable
        table="entries"
        query={{ client, id: batch.id, ...search }}
        caption="Entries of the batch"
        noun={['entry', 'entries']}
      />
    </>
  );
};

export const ComparisonPage = ({ names }: { names: readonly [string, string] }) => {
  const search = pick(useRoute().parameters, ['search']);
  const [first, second] = [useBatch(names[0]), useBatch(names[1])];
  if (!first.batch || !second.batch) return <Missing {...(first.batch ? second : first)} />;
  const batches = [first.batch, second.batch].sort((left, right) => left.at - right.at);
  const [before, after] = batches.map(({ name }) => name);
  return (
    <>
      {batches.map((batch, index) => (
        <BatchTitle key={index} side={index === 0 ? 'Before: ' : 'After: '} batch={batch} />
      ))}
      <p class="soft small">Entries that are equal in both batches are not shown.</p>
      <div class="filters">
        <SearchField placeholder="Code" />
      </div>
      <StockTable
        table="differences"
        query={{ one: before, other: after, ...search }}
        caption="Differences between the two batches"
        noun={['difference', 'differences']}
        headColumn="MaterialCode"
      />
    </>
  );
};

const Missing = ({ response, failure, refresh }: Omit<BatchState, 'batch'>) => (
  <>
    <Waiting response={response} failure={failure} refresh={refresh} />
    {response && <p>There is no such batch. It may have expired, or the address may be mistyped.</p>}
  </>
);

type TitleProps = { side?: string; batch: NonNullable<BatchState['batch']> };

const BatchTitle = ({ side, batch: { client, id, at, entries } }: TitleProps) => {
  const { nameOf } = useStock();
  return (
    <h2>
      {side}
      <a href={hrefTo('batches', [client, id])}>
        {nameOf(client)}, {formatSecond(at)}
      </a>{' '}
      <Age at={at} /> <span class="age">{countOf(entries, 'entry', 'entries')}</span>
    </h2>
  );
};
