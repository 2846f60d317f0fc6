import { useMemo } from 'preact/hooks';
import { counted, grouped } from '../../../cli/words.ts';
import { compareSnapshots, type Difference } from '../../../snapshots/compare-snapshots.ts';
import { compareBy } from '../../../store/order.ts';
import type { Batch } from '../../api.ts';
import { Amount } from '../components/amount.tsx';
import { Chip, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { difference } from '../format.ts';
import { fold, type Model, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { decimalsIn, EntrySearch, linkMaterial, useBatch, Waiting } from './batch.tsx';

type Props = { model: Model; query: URLSearchParams; one: string; other: string };

export const ComparisonPage = ({ model, query, one, other }: Props) => {
  const [{ answer: before, failure }, { answer: after, failure: second }] = [useBatch(one), useBatch(other)];
  if (before === undefined || after === undefined) return <Waiting failure={failure ?? second} />;
  return (
    <>
      <h2>
        <BatchLink batch={before} /> → <BatchLink batch={after} />
      </h2>
      <Changes model={model} query={query} before={before} after={after} />
    </>
  );
};

const BatchLink = ({ batch: { client, snapshotId, receivedAt, entries } }: { batch: Batch }) => (
  <>
    <a href={hrefTo('batches', [client, snapshotId])}>
      {client}, <When at={receivedAt} />
    </a>{' '}
    <span class="age">{counted(entries.length, 'entry', 'entries')}</span>
  </>
);

type Row = Omit<Difference, 'change'> & { change: Difference['change'] | 'the same' };

const changes = ['added', 'gone', 'changed', 'the same'] as const;

const compare = (first: Batch, second: Batch): Row[] => {
  const differences = compareSnapshots(first, second);
  const differing = new Set(differences.map(({ materialCode }) => materialCode));
  const same = first.entries.flatMap((entry): Row[] => {
    const { MaterialCode: materialCode } = entry;
    return differing.has(materialCode)
      ? []
      : [{ change: 'the same', materialCode, before: entry, after: entry }];
  });
  return [...differences, ...same].sort(compareBy(({ materialCode }) => materialCode));
};

type ChangesProps = { model: Model; query: URLSearchParams; before: Batch; after: Batch };

const Changes = ({ model, query, before, after }: ChangesProps) => {
  const all = useMemo(() => compare(before, after), [before, after]);
  const columns = useMemo(() => columnsFor(model, all), [model, all]);
  const shown = query.get('show');
  const matches = matcher(query.get('q') ?? '');
  const rows = all.filter(
    (row) => (shown === null ? row.change !== 'the same' : row.change === shown) && matches(textOf(row)),
  );
  return (
    <>
      <fieldset class="flow">
        <legend class="hidden">Show only</legend>
        {changes.map((name) => (
          <Chip
            key={name}
            isPressed={shown === name}
            onClick={() => replaceQuery({ show: shown === name ? undefined : name })}
          >
            {grouped(all.filter(({ change }) => change === name).length)} {name}
          </Chip>
        ))}
      </fieldset>
      <div class="flow bar">
        <EntrySearch query={query} />
        <Download
          what="the differences"
          path={['comparison']}
          query={{ one: query.get('one'), other: query.get('other') }}
        />
      </div>
      <DataTable caption="What is different in the second batch" columns={columns} rows={rows} />
    </>
  );
};

const columnsFor = (model: Model, rows: readonly Row[]): Column<Row>[] => {
  const decimals = decimalsIn(
    rows.flatMap(({ before, after }) => [before?.StockBalance ?? 0, after?.StockBalance ?? 0]),
  );
  const amountOf = (value: number | undefined, isChange = false) =>
    value !== undefined && <Amount value={value} decimals={decimals} isChange={isChange} />;
  return [
    { title: 'Material', kind: 'head', cell: ({ materialCode }) => linkMaterial(model, materialCode) },
    { title: 'Change', kind: 'word', cell: ({ change }) => change },
    { title: 'Before', kind: 'number', cell: ({ before }) => amountOf(before?.StockBalance) },
    { title: 'After', kind: 'number', cell: ({ after }) => amountOf(after?.StockBalance) },
    { title: 'Difference', kind: 'number', cell: (row) => amountOf(differenceOf(row), true) },
    { title: 'Unit', kind: 'word', cell: unitsOf },
    { title: 'Purchase orders', kind: 'prose', cell: ordersOf },
  ];
};

/** Amounts in two units have no difference. */
const differenceOf = ({ before, after }: Row) =>
  before && after && before !== after && before.StockBalanceUnit === after.StockBalanceUnit
    ? difference(after.StockBalance, before.StockBalance)
    : undefined;

const unitsOf = ({ before, after }: Row) =>
  [...new Set([before, after].flatMap((entry) => entry?.StockBalanceUnit ?? []))].join(' → ');

const ordersOf = ({ before, after }: Row) => {
  const [first, second] = [before, after].map((entry) => entry?.PurchaseOrders.join(' ') || 'none');
  return first === second ? '' : `${first} → ${second}`;
};

const textOf = (row: Row) => fold([row.materialCode, unitsOf(row), ordersOf(row)].join(' '));
