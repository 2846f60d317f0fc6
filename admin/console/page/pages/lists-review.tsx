import { useEffect, useState } from 'preact/hooks';
import { counted, grouped, joinNames } from '../../../cli/words.ts';
import type { Plan, RowEdit, Written } from '../../api.ts';
import { Dialog, Notice } from '../components/controls.tsx';
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

type State = { plan?: Plan; failure?: string; isWriting?: true };

/** Shows what changes before anything is written. */
export const Review = ({ list, keyName, source, onClose, onWritten }: Props) => {
  const [isReplaced, setReplaced] = useState(false);
  const [turn, setTurn] = useState(0);
  const [{ plan, failure, isWriting }, setState] = useState<State>({});
  useEffect(() => {
    let isCurrent = true;
    const path = `lists/${list}/plan`;
    setState({});
    const planned =
      'edits' in source
        ? post<Plan>(path, source.edits)
        : post<Plan>(
            `${path}?${new URLSearchParams({ file: source.file, replace: String(isReplaced) })}`,
            source.content,
          );
    planned.then(
      (plan) => isCurrent && setState({ plan }),
      ({ message }: Error) => isCurrent && setState({ failure: message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [list, source, isReplaced, turn]);

  const write = async ({ id }: Plan) => {
    setState((before) => ({ ...before, isWriting: true }));
    try {
      onWritten(await post<Written>(`plans/${id}`, {}));
    } catch (error) {
      setState({ failure: error instanceof Error ? error.message : String(error) });
    }
  };
  const count = plan ? plan.added + plan.changed + plan.removed : 0;
  return (
    <Dialog title={'file' in source ? `Import ${source.file}` : 'Review the changes'} onClose={onClose}>
      {'file' in source && (
        <label class="check">
          <input
            type="checkbox"
            checked={isReplaced}
            disabled={isWriting}
            onChange={({ currentTarget }) => setReplaced(currentTarget.checked)}
          />
          Make the list exactly the file: remove the rows and attributes that it lacks
        </label>
      )}
      <div aria-live="polite">
        {failure !== undefined && <Notice kind="error">{failure}</Notice>}
        {!plan && failure === undefined && <p>Comparing with the list…</p>}
        {plan && <PlanView plan={plan} keyName={keyName} count={count} />}
      </div>
      <form method="dialog" class="buttons">
        {plan && count > 0 && (
          <button type="button" class="primary" disabled={isWriting} onClick={() => write(plan)}>
            {isWriting ? 'Writing…' : confirmLabel(plan)}
          </button>
        )}
        {failure !== undefined && (
          <button type="button" class="as-of" onClick={() => setTurn(turn + 1)}>
            Compare again
          </button>
        )}
        <button type="submit" class="as-of" disabled={isWriting}>
          {plan && count > 0 ? 'Cancel' : 'Close'}
        </button>
      </form>
    </Dialog>
  );
};

type Change = Plan['changes'][number];

const PlanView = ({ plan, keyName, count }: { plan: Plan; keyName: string; count: number }) => {
  const columns: Column<Change>[] = [
    { title: 'Change', kind: 'word', cell: ({ kind }) => <span class={`mark ${kind}`}>{kind}</span> },
    { title: keyName, kind: 'head', cell: ({ identifier }) => identifier },
    { title: 'Attribute', cell: ({ attribute }) => attribute },
    { title: 'Before', cell: ({ before }) => before && <del>{before}</del> },
    { title: 'After', cell: ({ after }) => after && <ins>{after}</ins> },
  ];
  const rest = count > new Set(plan.changes.map(({ identifier }) => identifier)).size;
  return (
    <>
      <p>
        {count === 0 ? 'Nothing changes: the list has all of it already.' : describeCounts(plan)}
        {count > 0 && plan.unchanged > 0 && ` ${counted(plan.unchanged, 'row')} stay as they are.`}
      </p>
      {plan.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      {count > 0 && <DataTable caption="Changes" columns={columns} rows={plan.changes} />}
      {rest && <p class="soft small">These are the first of all changes.</p>}
    </>
  );
};

type Counts = Pick<Plan, 'added' | 'changed' | 'removed'>;

/** `1 row added, 3 changed and 2 removed.` */
export const describeCounts = ({ added, changed, removed }: Counts) => {
  const counts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0);
  const parts = counts.map(([kind, count], index) =>
    index === 0 ? `${counted(count, 'row')} ${kind}` : `${grouped(count)} ${kind}`,
  );
  return parts.length === 0 ? 'No row changed.' : `${joinNames(parts)}.`;
};

/** `Add 1, change 3 and remove 2 rows`. */
const confirmLabel = ({ added, changed, removed }: Counts) => {
  const counts = Object.entries({ add: added, change: changed, remove: removed }).filter(
    ([, count]) => count > 0,
  );
  const parts = counts.map(([verb, count], index) =>
    index === counts.length - 1 ? `${verb} ${counted(count, 'row')}` : `${verb} ${grouped(count)}`,
  );
  const label = joinNames(parts);
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
};
