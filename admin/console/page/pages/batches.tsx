import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { grouped } from '../../../cli/words.ts';
import type { StockData } from '../../stock/stock-data.ts';
import type { PageProps } from '../app.tsx';
import { Choice, Notice, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { formatChange } from '../format.ts';
import { hrefTo } from '../route.ts';
import { isFrozen } from '../source.ts';
import { BatchPage, ComparisonPage } from './batch.tsx';

/** The list, one batch, or two of them compared. With `one` alone, the list offers the other. */
export const BatchesPage = ({ model: { data }, route: { parts, query } }: PageProps) => {
  const batches = useMemo(() => listBatches(data), [data]);
  const [client, id] = parts;
  const [one, other] = [query.get('one') ?? undefined, query.get('other')];
  if (!isFrozen && one && other) return <ComparisonPage names={[one, other]} query={query} />;
  if (!isFrozen && id !== undefined) return <BatchPage name={`${client}/${id}`} query={query} />;
  return (
    <>
      {isFrozen && (
        <Notice>
          A report has no entries of batches. <code>warehouse-admin console</code> shows and compares them.
        </Notice>
      )}
      {one && <Notice>Choose the batch to compare with {one.replace('/', ', ')}.</Notice>}
      <div class="flow bar">
        <Choice
          label="Warehouse"
          all="All warehouses"
          values={data.clients}
          value={client ?? ''}
          onChange={(value) => location.assign(hrefTo('batches', value ? [value] : [], { one }))}
        />
      </div>
      <DataTable
        caption="Batches, the newest first"
        columns={columnsFor(one)}
        rows={batches.filter((batch) => client === undefined || batch.client === client)}
      />
    </>
  );
};

type ListedBatch = ReturnType<typeof listBatches>[number];

/** The newest first. Addresses name a batch `CLIENT/ID`, as no client has a slash. */
const listBatches = ({ snapshots, clients }: StockData) => {
  const latest = new Map<string, { name: string; entries: number }>();
  return snapshots.id
    .map((id, index) => {
      const client = clients[snapshots.client[index] ?? 0] ?? '';
      const [at, entries] = [snapshots.at[index] ?? 0, snapshots.entries[index] ?? 0];
      const name = `${client}/${id}`;
      const before = latest.get(client);
      latest.set(client, { name, entries });
      return { client, id, name, at, entries, before };
    })
    .sort((one, other) => other.at - one.at);
};

const columnsFor = (one: string | undefined): Column<ListedBatch>[] => [
  {
    title: 'Received',
    kind: 'head',
    cell: ({ client, id, name, at }) =>
      linkTo(one ? hrefToComparison(one, name) : hrefTo('batches', [client, id]), <When at={at} />),
  },
  { title: 'Warehouse', kind: 'word', cell: ({ client }) => client },
  { title: 'Entries', kind: 'number', cell: ({ entries }) => grouped(entries) },
  {
    title: 'Against the previous',
    kind: 'number',
    cell: ({ name, entries, before }) => {
      if (!before) return undefined;
      const change = formatChange(entries - before.entries);
      const isHalved = entries * 2 < before.entries;
      return linkTo(
        hrefToComparison(before.name, name),
        isHalved ? <span class="below">{change}</span> : change,
      );
    },
  },
];

const hrefToComparison = (one: string, other: string) => hrefTo('batches', ['compare'], { one, other });

/** A report has no pages of single batches. */
const linkTo = (href: string, children: ComponentChildren) =>
  isFrozen ? children : <a href={href}>{children}</a>;
