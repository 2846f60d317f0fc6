import { Amount, type CellViews, ClientLink } from '../components/cells.tsx';
import { Choice, Notice, When } from '../components/controls.tsx';
import { useWarehouses } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { hrefTo, hrefWith, pick, useRoute } from '../route.ts';
import type { Cells } from '../use-stock.ts';
import { BatchPage, ComparisonPage } from './batch.tsx';
import { ArrivalsTable } from './work/arrivals.tsx';

/** The days and batches of a warehouse, all batches, one batch, or a comparison of two. With only `one` in the address, a person chooses the second batch. */
export const BatchesPage = () => {
  const { segments, parameters } = useRoute();
  const warehouses = useWarehouses();
  const [client, id] = segments;
  const [one, other] = [parameters.get('one') ?? undefined, parameters.get('other')];
  if (one && other) return <ComparisonPage names={[one, other]} />;
  if (client && id) return <BatchPage {...{ client, id }} />;
  const views = viewsFor(one);
  return (
    <>
      {one && <Notice>Choose the batch to compare with {one.replace('/', ', ')}.</Notice>}
      <div class="flow bar">
        <Choice
          {...warehouses}
          value={client ?? ''}
          onChange={(value) => location.assign(hrefToBatches(value))}
        />
      </div>
      {client && !one && <ArrivalsTable at={parameters.get('at')} client={client} />}
      <StockTable
        table="batches"
        query={{ ...pick(parameters, ['at', 'since', 'search']), client }}
        caption="Batches"
        noun={['batch', 'batches']}
        isHidden={({ name }) => ['Parts', 'RequestId'].includes(name)}
        viewOf={({ name }) => views[name]}
      />
    </>
  );
};

/** Keeps the batch to compare with, and how the table is filtered and sorted. */
const hrefToBatches = (client: string) => hrefWith({ page: undefined }, client ? [client] : []);

/** An address can name a batch `CLIENT/ID`, because no client name contains a slash. */
const viewsFor = (one: string | undefined): CellViews => ({
  ...(one === undefined ? {} : { ReceivedAt: (cells) => comparisonLink(one, cells) }),
  Client: ({ Client }) => <ClientLink client={String(Client)} href={hrefToBatches(String(Client))} />,
  Difference: ({ Client, Difference, EntryCount, SnapshotId, PreviousId }) => {
    if (typeof Difference !== 'number') return null;
    // The previous batch had more than twice as many entries.
    const isHalved = -Difference > Number(EntryCount);
    return (
      <a href={hrefToComparison(`${Client}/${PreviousId}`, `${Client}/${SnapshotId}`)}>
        <span class={isHalved ? 'below' : ''}>
          <Amount value={Difference} isDifference />
        </span>
      </a>
    );
  },
});

const comparisonLink = (one: string, { Client, SnapshotId, ReceivedAt }: Cells) => (
  <a href={hrefToComparison(one, `${Client}/${SnapshotId}`)}>
    <When at={Number(ReceivedAt)} />
  </a>
);

const hrefToComparison = (before: string, after: string) =>
  hrefTo('batches', ['compare'], { one: before, other: after });
