import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Choice, Notice, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { hrefTo } from '../route.ts';
import { isFrozen } from '../source.ts';
import { BatchPage } from './batch.tsx';
import { ComparisonPage } from './batch-comparison.tsx';
import { describe, hrefToComparison, type ListedBatch, listBatches, nameOf } from './listed-batch.ts';

/** The list, one batch, or two of them compared. */
export const BatchesPage = ({ model, route }: PageProps) => {
  const batches = useMemo(() => listBatches(model.data), [model.data]);
  const [client, id] = route.parts;
  const [one, other] = [route.query.get('one'), route.query.get('other')];
  const isComparison = client === 'compare' && one !== null && other !== null;
  if (isFrozen && (isComparison || id !== undefined)) {
    return (
      <Notice>
        A report does not have the batches one by one. The console shows them:{' '}
        <code>warehouse-admin console</code>.
      </Notice>
    );
  }
  if (isComparison) return <ComparisonPage model={model} query={route.query} one={one} other={other} />;
  if (client !== undefined && id !== undefined)
    return <BatchPage model={model} query={route.query} batches={batches} client={client} id={id} />;
  return <BatchList clients={model.data.clients} batches={batches} client={client} />;
};

type ListProps = { clients: readonly string[]; batches: readonly ListedBatch[]; client: string | undefined };

const BatchList = ({ clients, batches, client }: ListProps) => {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const rows = client === undefined ? batches : batches.filter((batch) => batch.client === client);
  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name].slice(-2));

  const columns: Column<ListedBatch>[] = [
    {
      title: 'Received',
      kind: 'head',
      cell: (batch) =>
        isFrozen ? (
          <When at={batch.at} />
        ) : (
          <a href={hrefTo('batches', [batch.client, batch.id])}>
            <When at={batch.at} />
          </a>
        ),
    },
    { title: 'Warehouse', kind: 'word', cell: (batch) => batch.client },
    { title: 'Entries', kind: 'number', cell: ({ entries }) => grouped(entries) },
    { title: 'Against the one before', kind: 'word', cell: (batch) => <Growth batch={batch} /> },
  ];
  const choice: Column<ListedBatch> = {
    title: 'Compare',
    kind: 'word',
    cell: (batch) => (
      <span class="compare">
        <input
          type="checkbox"
          aria-label={`Choose ${describe(batch)}`}
          checked={chosen.includes(nameOf(batch))}
          onChange={() => toggle(nameOf(batch))}
        />
        {batch.before && (
          <a href={hrefToComparison(nameOf(batch.before), nameOf(batch))}>
            with the one before
            <span class="hidden"> {describe(batch)}</span>
          </a>
        )}
      </span>
    ),
  };
  return (
    <>
      <div class="flow bar">
        <Choice
          label="Warehouse"
          all="All warehouses"
          values={clients}
          value={client ?? ''}
          onChange={(value) => {
            location.hash = hrefTo('batches', value ? [value] : []);
          }}
        />
        {!isFrozen && <Chosen batches={batches.filter((batch) => chosen.includes(nameOf(batch)))} />}
      </div>
      {client !== undefined && !clients.includes(client) && <Notice>There is no warehouse {client}.</Notice>}
      <DataTable
        caption="Batches, the newest first"
        columns={isFrozen ? columns : [...columns, choice]}
        rows={rows}
      />
      {isFrozen && (
        <p class="soft small">
          <code>warehouse-admin console</code> shows the entries of a batch, and compares two.
        </p>
      )}
    </>
  );
};

const Growth = ({ batch }: { batch: ListedBatch }) => {
  if (batch.before === undefined) return <span class="soft">the first of the period</span>;
  const growth = batch.entries - batch.before.entries;
  if (growth === 0) return <span class="soft">as many</span>;
  const text = `${grouped(Math.abs(growth))} ${growth > 0 ? 'more' : 'fewer'}`;
  const isHalved = batch.entries * 2 < batch.before.entries;
  return <span class={isHalved ? 'below' : undefined}>{isHalved ? `${text}, less than half` : text}</span>;
};

/** The newest first, as in the list. */
const Chosen = ({ batches: [after, before] }: { batches: readonly ListedBatch[] }) => (
  <p class="chosen" role="status">
    {after === undefined && <span class="soft">Choose two batches to compare them.</span>}
    {after !== undefined && before === undefined && <>{describe(after)}, and another one to compare with.</>}
    {after !== undefined && before !== undefined && (
      <a class="button" href={hrefToComparison(nameOf(before), nameOf(after))}>
        Compare {describe(before)} with {describe(after)}
      </a>
    )}
  </p>
);
