import { useEffect, useState } from 'preact/hooks';
import { counted, grouped, joinNames } from '../../../cli/words.ts';
import type { Plan, RowEdit, Written } from '../../api.ts';
import { Choice, Dialog, Notice } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { post } from '../source.ts';

/** Where changes come from. */
export type Source = { edits: readonly RowEdit[] } | { file: string; content: Blob };

type Props = {
  list: string;
  keyName: string;
  source: Source;
  onClose: () => void;
  onWritten: (written: Written) => void;
};

/** Shows what changes before anything is written. */
export const Review = ({ list, keyName, source, onClose, onWritten }: Props) => {
  const [isReplaced, setReplaced] = useState(false);
  const [decimal, setDecimal] = useState('');
  const [{ plan, failure }, setState] = useState<{ plan?: Plan; failure?: string }>({});
  const [isWriting, setWriting] = useState(false);
  const fail = ({ message }: Error) => setState({ failure: message });
  const compareNow = () => {
    setState({});
    const query = new URLSearchParams({ replace: `${isReplaced}`, ...(decimal ? { decimal } : {}) });
    const body = 'file' in source ? source.content : source.edits;
    return post<Plan>(`lists/${list}/plan?${query}`, body).then((plan) => setState({ plan }), fail);
  };
  const write = async (id: string) => {
    setWriting(true);
    await post<Written>(`plans/${id}`, {}).then(onWritten, fail);
    setWriting(false);
  };
  useEffect(() => void compareNow(), [source, isReplaced, decimal]);
  const isEmpty = !plan || plan.added + plan.changed + plan.removed === 0;
  return (
    <Dialog
      title={'file' in source ? `Import ${source.file}` : 'Review the changes'}
      isBusy={isWriting}
      onClose={onClose}
    >
      {'file' in source && (
        <fieldset class="flow" disabled={isWriting || (!plan && failure === undefined)}>
          <label class="compare">
            <input
              type="checkbox"
              checked={isReplaced}
              onChange={({ currentTarget }) => setReplaced(currentTarget.checked)}
            />
            Make the list exactly the file: remove rows and attributes that it lacks
          </label>
          <Choice
            label="Decimal sign (--decimal)"
            all="As in the file"
            values={['.', ',']}
            value={decimal}
            onChange={setDecimal}
          />
        </fieldset>
      )}
      <div aria-live="polite">
        {failure !== undefined && <Notice kind="error">{failure}</Notice>}
        {failure === undefined && <PlanView plan={plan} isEmpty={isEmpty} keyName={keyName} />}
      </div>
      <form method="dialog" class="chips">
        {plan && !isEmpty && (
          <button type="button" class="primary" disabled={isWriting} onClick={() => write(plan.id)}>
            {isWriting ? 'Writing…' : labelOf(plan)}
          </button>
        )}
        {failure !== undefined && (
          <button type="button" class="as-of" onClick={compareNow}>
            Compare again
          </button>
        )}
        <button type="submit" class="as-of" disabled={isWriting}>
          {isEmpty ? 'Close' : 'Cancel'}
        </button>
      </form>
    </Dialog>
  );
};

type ViewProps = { plan: Plan | undefined; isEmpty: boolean; keyName: string };

const PlanView = ({ plan, isEmpty, keyName }: ViewProps) => {
  if (!plan) return <p>Comparing with the list…</p>;
  return (
    <>
      <p>
        {isEmpty
          ? 'Nothing changes: the list has all of it already.'
          : `Not written yet: ${describeCounts(plan)} The first of them:`}
      </p>
      {plan.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      {!isEmpty && <DataTable caption="The first changes" columns={columnsOf(keyName)} rows={plan.changes} />}
    </>
  );
};

const columnsOf = (keyName: string): Column<Plan['changes'][number]>[] => [
  { title: 'Change', kind: 'word', cell: ({ kind }) => <span class={`mark ${kind}`}>{kind}</span> },
  { title: keyName, kind: 'head', cell: ({ identifier }) => identifier },
  { title: 'Attribute', cell: ({ attribute }) => attribute },
  { title: 'Before', cell: ({ before }) => before && <del>{before}</del> },
  { title: 'After', cell: ({ after }) => after },
];

type Counts = Record<RowEdit['kind'], number>;

/** `1 row added, 3 changed and 2 removed.` */
export const describeCounts = ({ added, changed, removed }: Counts) => {
  const counts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0);
  const parts = counts.map(
    ([kind, count], at) => `${at === 0 ? counted(count, 'row') : grouped(count)} ${kind}`,
  );
  return parts.length === 0 ? 'Nothing was written.' : `${joinNames(parts)}.`;
};

/** `Add 1, change 3 and remove 2 rows`. */
const labelOf = ({ added, changed, removed }: Counts) => {
  const counts = Object.entries({ Add: added, change: changed, remove: removed }).filter(
    ([, count]) => count > 0,
  );
  const [, last = 0] = counts.at(-1) ?? [];
  const label = joinNames(counts.map(([verb, count]) => `${verb} ${grouped(count)}`));
  return `${label.charAt(0).toUpperCase()}${label.slice(1)} ${last === 1 ? 'row' : 'rows'}`;
};
