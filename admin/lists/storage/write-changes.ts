import type { ListName } from '../../../shared/tables.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { explain, Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import { countOf, formatCount, joinFirstNames } from '../../text/words.ts';
import { changeKinds, type RowChange } from '../plan/row-change.ts';
import { listWriter, type OnWrite } from './list-writer.ts';

type Writing = {
  deployment: Pick<Deployment, 'dynamodb' | 'tables'>;
  signal: AbortSignal;
  /** What to do when the writing ends early. */
  advice: string;
  onWritten?: (rows: number) => void;
};

/**
 * Writes the changes. After an error or an abort, throws a Failure with the number of written changes and the advice.
 * `conflicts` are the identifiers of rows that somebody else has changed since they were read.
 */
export const writeChanges = async (
  name: ListName,
  changes: readonly RowChange[],
  { deployment, signal, advice, onWritten = () => {} }: Writing,
) => {
  const total = changes.length;
  const counts = { added: 0, changed: 0, renamed: 0, removed: 0 };
  const conflicts: string[] = [];
  let written = 0;
  let unknown = 0;

  const summarize = () => {
    const shown = changeKinds.filter((kind) => kind !== 'renamed' || counts.renamed > 0);
    const details = shown.map((kind) => `${formatCount(counts[kind])} ${kind}`).join(', ');
    const lost = ` Up to ${formatCount(unknown)} more may have been written, because their responses were lost.`;
    const conflict = ` Somebody else has changed ${joinFirstNames(conflicts.map(quote))} in the meantime; these rows stay as they are.`;
    return `${formatCount(written)} of ${countOf(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${details}).${unknown > 0 ? lost : ''}${conflicts.length > 0 ? conflict : ''} ${advice}`;
  };

  const { write } = listWriter(deployment.dynamodb, name, deployment.tables[name]);
  try {
    // Removals come last: a list without needed codes is worse than a list that is too long for a moment.
    for (const kind of changeKinds) {
      const onWrite: OnWrite = ({ identifier }, outcome) => {
        if (outcome === 'conflict') conflicts.push(identifier);
        if (outcome === 'unknown') unknown += 1;
        if (outcome !== 'written') return;
        counts[kind] += 1;
        written += 1;
        onWritten(written);
      };
      const ofKind = changes.filter((change) => change.kind === kind);
      await write(ofKind, onWrite, signal);
    }
  } catch (error) {
    throw new Failure(`${explain(error)}\n${summarize()}`);
  }
  if (written + conflicts.length < total) throw new Failure(summarize());
  return { ...counts, conflicts, summary: summarize() };
};
