import type { ListName } from '../../../shared/tables.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { explain, Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import { countOf, formatNumber, joinFirstNames } from '../../text/words.ts';
import { type ChangeOrigin, changeKinds, countChanges, type RowChange } from '../plan/row-change.ts';
import { type Change, listWriter, type OnWrite } from '../storage/list-writer.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { type HistoryTarget, historyWriter, Overtaken } from './history-writer.ts';
import { MAX_RUN_MS } from './records.ts';

type Writing = {
  deployment: HistoryTarget;
  origin: ChangeOrigin;
  signal: AbortSignal;
  /** What to do when the writing ends early. */
  advice: string;
  onWritten?: (rows: number) => void;
};

/** A change that takes longer could be taken for one of a killed writer, for example after this machine slept. */
const MAX_WRITE_MS = MAX_RUN_MS - MINUTE_MS;

/**
 * Keeps the changes in the history, and writes them. After an error or an abort, throws a Failure with the number of written changes and
 * the advice. `conflicts` are the identifiers of rows that somebody else has changed since they were read. `change` is the id in the
 * history if a row is written.
 */
export const writeChanges = async (
  name: ListName,
  changes: readonly RowChange[],
  { deployment, origin, signal, advice, onWritten = () => {} }: Writing,
) => {
  const total = changes.length;
  const counts = countChanges([]);
  const conflicts: string[] = [];
  const written = new Set<Change>();
  let unknown = 0;

  const summarize = () => {
    const shown = changeKinds.filter((kind) => kind !== 'renamed' || counts.renamed > 0);
    const details = shown.map((kind) => `${formatNumber(counts[kind])} ${kind}`).join(', ');
    const lost = ` Up to ${formatNumber(unknown)} more may have been written, because their responses were lost.`;
    const conflict = ` Somebody else has changed ${joinFirstNames(conflicts.map(quote))} in the meantime; these rows stay as they are.`;
    return `${formatNumber(written.size)} of ${countOf(total, 'change')} ${total === 1 ? 'is' : 'are'} written (${details}).${unknown > 0 ? lost : ''}${conflicts.length > 0 ? conflict : ''} ${advice}`;
  };
  if (signal.aborted) throw new Failure(summarize());
  if (total === 0) return { ...counts, conflicts, summary: summarize(), change: undefined };

  const { id: change, end } = await begin(deployment, name, changes, origin);
  const began = deployment.now().getTime();
  const mayGoOn = () => deployment.now().getTime() - began < MAX_WRITE_MS;
  const endWithLeft = async () => {
    // What is unknown tells the next write.
    if (unknown > 0) return;
    await end(changes.filter((row) => !written.has(row)).map(({ identifier }) => identifier));
  };
  const { write } = listWriter(deployment.dynamodb, name, deployment.tables[name]);
  try {
    // Removals come last: a list without needed codes is worse than a list that is too long for a moment.
    for (const kind of changeKinds) {
      const onWrite: OnWrite = (row, outcome) => {
        if (outcome === 'conflict') conflicts.push(row.identifier);
        if (outcome === 'unknown') unknown += 1;
        if (outcome !== 'written') return;
        counts[kind] += 1;
        written.add(row);
        onWritten(written.size);
      };
      const ofKind = changes.filter((row) => row.kind === kind);
      await write(ofKind, onWrite, signal, mayGoOn);
    }
    await endWithLeft();
  } catch (error) {
    // The first error says more. The next write ends the change.
    await endWithLeft().catch(() => {});
    throw new Failure(`${explain(error)}\n${summarize()}`);
  }
  if (written.size + conflicts.length < total) throw new Failure(summarize());
  return { ...counts, conflicts, summary: summarize(), change: written.size > 0 ? change : undefined };
};

const MAX_ATTEMPTS = 5;

/** Keeps a change in the history before a row is written. The history then also has what somebody has changed past these tools. */
const begin = async (
  deployment: HistoryTarget,
  list: ListName,
  changes: readonly RowChange[],
  { kind: Kind, source, undoes }: ChangeOrigin,
) => {
  const Source = source === undefined ? {} : { Source: source };
  const origin = { Kind, ...Source, ...(undoes === undefined ? {} : { Undoes: undoes }) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const writer = historyWriter(deployment, list, await deployment.caller());
      const begun = await writer.put(origin, changes, await bringUpToDate(deployment, list, writer));
      return { id: begun.Id, end: (left: readonly string[]) => writer.end(begun, left) };
    } catch (error) {
      if (error instanceof Overtaken && attempt < MAX_ATTEMPTS) continue;
      throw new Failure(
        `${explain(error)}\nNothing was written, because a list changes only together with its history.`,
      );
    }
  }
};
