import { useMemo } from 'preact/hooks';
import { grouped } from '../../../cli/words.ts';
import { compareSnapshots, type Difference } from '../../../snapshots/compare-snapshots.ts';
import { compareBy } from '../../../store/order.ts';
import type { Batch } from '../../api.ts';
import { Amount, decimalsIn } from '../components/amount.tsx';
import { Chip, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { difference } from '../format.ts';
import { fold, type Model, matcher } from '../model.ts';
import { hrefTo, replaceQuery } from '../route.ts';
import { EntrySearch, Fact, linkMaterial, NoBatch, useBatch } from './batch.tsx';
import { hrefToComparison, nameOf } from './listed-batch.ts';

type Props = { model: Model; query: URLSearchParams; one: string; other: string };

export const ComparisonPage = ({ model, query, one, other }: Props) => {
  const [before, after] = [useBatch(one), useBatch(other)];
  const failure = before.failure ?? after.failure;
  if (failure !== undefined) return <NoBatch failure={failure} />;
  if (before.answer === undefined || after.answer === undefined) return <p role="status">Reading…</p>;
  return (
    <>
      <h2>What changed</h2>
      <dl class="facts">
        <Side title="Before" batch={before.answer} />
        <Side title="After" batch={after.answer} />
      </dl>
      <p>
        <a href={hrefToComparison(other, one)}>The other way round</a>
      </p>
      <Changes model={model} query={query} before={before.answer} after={after.answer} />
    </>
  );
};

const Side = ({ title, batch }: { title: string; batch: Batch }) => (
  <Fact title={title}>
    <a href={hrefTo('batches', [batch.client, batch.snapshotId])}>
      {batch.client}, <When at={batch.receivedAt} />
    </a>
    <br />
    {grouped(batch.entries.length)} entries
  </Fact>
);

type Row = Omit<Difference, 'change'> & { change: Difference['change'] | 'same'; difference?: number };

const changes = [
  ['added', 'added'],
  ['gone', 'gone'],
  ['changed', 'changed'],
  ['same', 'the same'],
] as const;

const compare = (first: Batch, second: Batch): Row[] => {
  const differences = compareSnapshots(first, second);
  const differing = new Set(differences.map(({ materialCode }) => materialCode));
  const same = first.entries.flatMap((entry): Row[] =>
    differing.has(entry.MaterialCode)
      ? []
      : [{ change: 'same', materialCode: entry.MaterialCode, before: entry, after: entry }],
  );
  return [...differences.map(withDifference), ...same].sort(compareBy(({ materialCode }) => materialCode));
};

const withDifference = (row: Difference): Row =>
  row.before && row.after && row.before.StockBalanceUnit === row.after.StockBalanceUnit
    ? { ...row, difference: difference(row.after.StockBalance, row.before.StockBalance) }
    : row;

type ChangesProps = { model: Model; query: URLSearchParams; before: Batch; after: Batch };

const Changes = ({ model, query, before, after }: ChangesProps) => {
  const all = useMemo(() => compare(before, after), [before, after]);
  const counts = useMemo(() => Map.groupBy(all, ({ change }) => change), [all]);
  const [shown, wanted] = [query.get('show'), query.get('q') ?? ''];
  const rows = useMemo(() => {
    const matches = matcher(wanted);
    return all.filter(
      ({ change, materialCode }) =>
        (shown === null ? change !== 'same' : change === shown) && matches(fold(materialCode)),
    );
  }, [all, shown, wanted]);
  const columns = useMemo(() => columnsFor(model, all), [model, all]);
  return (
    <>
      <fieldset class="flow">
        <legend class="hidden">Show only</legend>
        {changes.map(([change, words]) => (
          <Chip
            key={change}
            isPressed={shown === change}
            onClick={() => replaceQuery({ show: shown === change ? undefined : change })}
          >
            {grouped(counts.get(change)?.length ?? 0)} {words}
          </Chip>
        ))}
      </fieldset>
      <div class="flow bar">
        <EntrySearch value={wanted} />
        <Download
          what="the differences"
          path={['comparison']}
          query={{ one: toName(before), other: toName(after) }}
        />
      </div>
      {rows.length > 0 ? (
        <DataTable
          caption="What the second batch says otherwise than the first"
          columns={columns}
          rows={rows}
        />
      ) : (
        <p>{shown !== null || wanted !== '' ? 'Nothing matches.' : 'Both batches say the same.'}</p>
      )}
    </>
  );
};

const toName = ({ client, snapshotId }: Batch) => nameOf({ client, id: snapshotId });

const columnsFor = (model: Model, rows: readonly Row[]): Column<Row>[] => {
  const balances = decimalsIn(
    rows.flatMap(({ before, after }) => [before?.StockBalance ?? 0, after?.StockBalance ?? 0]),
  );
  const differences = decimalsIn(rows.map(({ difference = 0 }) => difference));
  return [
    {
      title: 'Material',
      kind: 'head',
      cell: ({ materialCode }) => linkMaterial(model, materialCode),
    },
    { title: 'Change', kind: 'word', cell: ({ change }) => <span class={`change ${change}`}>{change}</span> },
    {
      title: 'Before',
      kind: 'number',
      cell: ({ before }) => <Amount value={before?.StockBalance} decimals={balances} />,
    },
    {
      title: 'After',
      kind: 'number',
      cell: ({ after }) => <Amount value={after?.StockBalance} decimals={balances} />,
    },
    {
      title: 'Difference',
      kind: 'number',
      cell: ({ difference }) => <Amount value={difference} decimals={differences} hasSign />,
    },
    { title: 'Unit', kind: 'word', cell: unitsOf },
    {
      title: 'Purchase orders',
      kind: 'prose',
      cell: ordersOf,
    },
  ];
};

const unitsOf = ({ before, after }: Row) =>
  [...new Set([before, after].flatMap((entry) => entry?.StockBalanceUnit ?? []))].join(' → ');

const ordersOf = ({ before, after }: Row) => {
  const [first, second] = [before, after].map((entry) => entry?.PurchaseOrders.join(' ') || 'none');
  return first === second ? '' : `${first} → ${second}`;
};
