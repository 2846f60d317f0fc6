import { useMemo } from 'preact/hooks';
import { counted } from '../../../cli/words.ts';
import { compareSnapshots } from '../../../snapshots/compare-snapshots.ts';
import type { Batch } from '../../api.ts';
import { Age, Waiting, When } from '../components/controls.tsx';
import { Download } from '../components/download.tsx';
import { hrefTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';
import { EntryTable } from './batch-entries.tsx';

const useBatch = (name: string) =>
  useAnswer<Batch>(`batches/${name.split('/').map(encodeURIComponent).join('/')}`);

type BatchProps = { name: string; query: URLSearchParams };

export const BatchPage = ({ name, query }: BatchProps) => {
  const { answer, ...state } = useBatch(name);
  const rows = useMemo(
    () => answer?.entries.map((entry) => ({ materialCode: entry.MaterialCode, after: entry })) ?? [],
    [answer],
  );
  if (answer === undefined) return <Waiting answer={answer} {...state} />;
  const { client, snapshotId: id, requestId } = answer;
  return (
    <>
      <BatchTitle batch={answer} />
      <p class="soft small">
        Batch {id}, request {requestId}.{' '}
        <a href={hrefTo('batches', [client], { one: `${client}/${id}` })}>Compare with another batch…</a>
      </p>
      <EntryTable caption="Entries of the batch" rows={rows} query={query}>
        <Download what="this batch" path={['batches', client, id]} />
      </EntryTable>
    </>
  );
};

type ComparisonProps = { names: readonly [string, string]; query: URLSearchParams };

export const ComparisonPage = ({ names, query }: ComparisonProps) => {
  const [one, other] = [useBatch(names[0]), useBatch(names[1])];
  const rows = useMemo(
    () => (one.answer && other.answer ? compareSnapshots(one.answer, other.answer) : []),
    [one.answer, other.answer],
  );
  if (!one.answer || !other.answer) return <Waiting {...(one.answer ? other : one)} />;
  return (
    <>
      <BatchTitle batch={one.answer} />
      <BatchTitle batch={other.answer} />
      <p class="soft small">{counted(rows.length, 'difference')}. All other entries are equal.</p>
      <EntryTable caption="Differences of the second batch" rows={rows} query={query} isComparison>
        <Download what="the differences" path={['comparison']} query={{ one: names[0], other: names[1] }} />
      </EntryTable>
    </>
  );
};

const BatchTitle = ({ batch: { client, snapshotId, receivedAt, entries } }: { batch: Batch }) => (
  <h2>
    <a href={hrefTo('batches', [client, snapshotId])}>
      {client}, <When at={receivedAt} />
    </a>{' '}
    <Age at={receivedAt} now={Date.now()} />{' '}
    <span class="age">{counted(entries.length, 'entry', 'entries')}</span>
  </h2>
);
