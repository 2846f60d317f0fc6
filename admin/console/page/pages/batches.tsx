import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { Choice, Notice, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { hrefTo } from '../route.ts';
import { isFrozen } from '../source.ts';
import { BatchPage } from './batch.tsx';
import { ComparisonPage } from './batch-comparison.tsx';
import { describe, hrefToComparison, type ListedBatch, listBatches } from './listed-batch.ts';

/** The list, one batch, or two of them compared. */
export const BatchesPage = ({ model, route: { parts, query } }: PageProps) => {
  const batches = useMemo(() => listBatches(model.data), [model.data]);
  const [client, id] = parts;
  const [one, other] = [query.get('one'), query.get('other')];
  const isList = id === undefined && one === null;
  if (isFrozen || isList) {
    return (
      <>
        {isFrozen && (
          <Notice>
            A report has no entries of batches. <code>warehouse-admin console</code> shows and compares them.
          </Notice>
        )}
        <BatchList clients={model.data.clients} batches={batches} client={client} />
      </>
    );
  }
  if (one !== null && other !== null) {
    return <ComparisonPage model={model} query={query} one={one} other={other} />;
  }
  return <BatchPage model={model} query={query} batches={batches} name={`${client}/${id}`} />;
};

type ListProps = { clients: readonly string[]; batches: readonly ListedBatch[]; client: string | undefined };

const BatchList = ({ clients, batches, client }: ListProps) => {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const rows = client === undefined ? batches : batches.filter((batch) => batch.client === client);
  const toggle = ({ name }: ListedBatch) =>
    setChosen(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name].slice(-2));
  const comparison: Column<ListedBatch> = {
    title: 'Compare',
    kind: 'word',
    cell: (batch) => (
      <span class="compare">
        <input
          type="checkbox"
          aria-label={`Choose ${describe(batch)}`}
          checked={chosen.includes(batch.name)}
          onChange={() => toggle(batch)}
        />
        {batch.before && (
          <a
            href={hrefToComparison(batch.before, batch)}
            aria-label={`Compare ${describe(batch)} with the one before`}
          >
            with the one before
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
          onChange={(value) => location.assign(hrefTo('batches', value ? [value] : []))}
        />
        {!isFrozen && <Chosen batches={batches.filter(({ name }) => chosen.includes(name))} />}
      </div>
      <DataTable
        caption="Batches, the newest first"
        columns={isFrozen ? columns : [...columns, comparison]}
        rows={rows}
      />
      {rows.length === 0 && <p class="soft">There is no batch of this period.</p>}
    </>
  );
};

const columns: Column<ListedBatch>[] = [
  {
    title: 'Received',
    kind: 'head',
    cell: ({ client, id, at }) =>
      isFrozen ? (
        <When at={at} />
      ) : (
        <a href={hrefTo('batches', [client, id])}>
          <When at={at} />
        </a>
      ),
  },
  { title: 'Warehouse', kind: 'word', cell: ({ client }) => client },
  { title: 'Entries', kind: 'number', cell: ({ entries }) => grouped(entries) },
  { title: 'Against the one before', kind: 'word', cell: (batch) => describeGrowth(batch) },
];

const describeGrowth = ({ entries, before }: ListedBatch) => {
  if (before === undefined) return <span class="soft">first of the period</span>;
  if (entries === before.entries) return <span class="soft">as many</span>;
  if (entries > before.entries) return `${grouped(entries - before.entries)} more`;
  const fewer = `${grouped(before.entries - entries)} fewer`;
  return entries * 2 < before.entries ? <span class="below">{fewer}, less than half</span> : fewer;
};

/** The newest first, as in the list. */
const Chosen = ({ batches: [after, before] }: { batches: readonly ListedBatch[] }) => (
  <p role="status">
    {after && before ? (
      <a class="chip" href={hrefToComparison(before, after)}>
        Compare {describe(before)} with {describe(after)}
      </a>
    ) : (
      <span class="soft">
        {after ? `Choose one to compare with ${describe(after)}.` : 'Choose two batches to compare them.'}
      </span>
    )}
  </p>
);
