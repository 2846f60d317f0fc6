import { useEffect, useState } from 'preact/hooks';
import { joinFirstNames, joinNames } from '../../../../text/words.ts';
import type { PlanReview, ShownValue, WriteResult } from '../../../api.ts';
import { Choice, Dialog, Notice } from '../../components/controls.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { countOf, decimalSign, formatNumber } from '../../format.ts';
import { post } from '../../source.ts';
import { useWork } from '../../use-response.ts';
import type { ChosenFile } from './chosen-file.ts';
import { type Draft, toEdits } from './draft.ts';

type Props = {
  command: string;
  identifierName: string;
  draft: Draft;
  /** Without a file, the draft is reviewed. */
  file: ChosenFile | undefined;
  onWritten: (written: WriteResult) => void;
  onClose: () => void;
};

/** For a file, an empty decimal sign means to detect it. For edits, it is the browser's sign, which messages show. */
const initialOptions = (file: ChosenFile | undefined) => ({ replace: '', decimal: file ? '' : decimalSign });

type Result = { plan?: PlanReview; written?: WriteResult };

/** Shows what a write would change, and afterwards what it has changed. */
export const Review = ({ command, identifierName, draft, file, onWritten, onClose }: Props) => {
  const [options, setOptions] = useState(initialOptions(file));
  const { result: { plan, written } = {}, failure, isBusy, run } = useWork<Result>();
  const makePlan = async () => {
    const query = new URLSearchParams(
      Object.entries({ ...options, file: file?.name ?? '' }).filter(([, value]) => value !== ''),
    );
    const body = file ? await file.read() : toEdits(draft);
    return { plan: await post<PlanReview>(`lists/${command}/review?${query}`, body) };
  };
  const write = async (id: string) => {
    const written = await post<WriteResult>(`reviews/${id}`, {});
    onWritten(written);
    return { written };
  };
  useEffect(() => void run(makePlan), [options]);
  const total = totalOf(plan);
  const conflicts = written?.conflicts ?? [];
  return (
    <Dialog title={file ? `Import ${file.name}` : 'Review the changes'} isBusy={isBusy} onClose={onClose}>
      {file && (
        <fieldset class="flow" disabled={isBusy}>
          <Choice
            label="Rows and attributes that are not in the file"
            noValue="Stay"
            values={['true']}
            nameOf={() => 'Are removed'}
            value={options.replace}
            onChange={(replace) => setOptions({ ...options, replace })}
          />
          <Choice
            label="Decimal sign"
            noValue="Detect from the file"
            values={['.', ',']}
            value={options.decimal}
            onChange={(decimal) => setOptions({ ...options, decimal })}
          />
        </fieldset>
      )}
      <p role="status">
        {isBusy ? 'One moment…' : [describe('To write', plan), describe('Written', written)]}
      </p>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {plan?.notices.map((notice) => (
        <Notice key={notice}>{notice}</Notice>
      ))}
      {conflicts.length > 0 && (
        <Notice>
          Somebody else has changed {joinFirstNames(conflicts)} meanwhile. Their values stay, and your changes
          to {countOf(conflicts.length, 'row')} are not written.
        </Notice>
      )}
      {total > 0 && (
        <DataTable
          caption="The first changes"
          columns={columnsOf(identifierName)}
          rows={plan?.changes ?? []}
        />
      )}
      <form method="dialog">
        <fieldset class="flow chips" disabled={isBusy}>
          {plan && total > 0 && (
            <button type="button" class="primary" onClick={() => run(() => write(plan.id))}>
              Write {countOf(total, 'row')}
            </button>
          )}
          {(failure !== undefined || conflicts.length > 0) && (
            <button type="button" onClick={() => run(makePlan)}>
              Review again
            </button>
          )}
          {!file && draft.size > 0 && (
            <button type="submit" onClick={() => draft.clear()}>
              Discard all changes
            </button>
          )}
          <button type="submit">Close</button>
        </fieldset>
      </form>
    </Dialog>
  );
};

const columnsOf = (identifierName: string): Column<PlanReview['changes'][number]>[] => [
  { title: 'Kind', kind: 'word', cell: ({ kind }) => <span class="mark">{kind}</span> },
  { title: identifierName, kind: 'head', cell: ({ identifier }) => identifier },
  { title: 'Attribute', cell: ({ attribute }) => attribute },
  { title: 'Before', cell: ({ before }) => before && <del>{textOf(before)}</del> },
  { title: 'After', cell: ({ after }) => textOf(after) },
];

const textOf = (value: ShownValue) => (typeof value === 'string' ? value : formatNumber(value.number));

type Counts = Pick<PlanReview, 'added' | 'changed' | 'removed'>;

const totalOf = (counts: Counts | undefined) => (counts ? counts.added + counts.changed + counts.removed : 0);

/** `Written: 1 added, 3 changed and 2 removed.` */
const describe = (label: string, counts: Counts | undefined) => {
  if (!counts) return undefined;
  const { added, changed, removed } = counts;
  const parts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0);
  const words = parts.map(([kind, count]) => `${formatNumber(count)} ${kind}`);
  return `${label}: ${words.length > 0 ? joinNames(words) : 'nothing'}.`;
};
