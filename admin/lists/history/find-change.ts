import { type ListName, tables } from '../../../shared/tables.ts';
import { Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import type { List } from '../plan/plan-changes.ts';
import { type HistorySource, historyReader, readRecords, requireReadable } from './history-reader.ts';
import { type ChangeHead, mayRun, timeOfId } from './records.ts';
import { findDone } from './replay.ts';

/** The rows that a change has written. Throws if nobody can undo it. `stored` are the rows of the list now. */
export const findChange = async (deployment: HistorySource, list: ListName, id: string, stored: List) => {
  const { heads, rows } = historyReader(deployment);
  let head: ChangeHead | undefined;
  for await (head of heads(list, { newestFirst: true })) if (head.Id <= id) break;
  const refuse = (why: string) => new Failure(`${why} Nothing was written.`);
  if (head?.Id !== id) throw refuse(`There is no change ${quote(id)} of ${tables[list].list.title}.`);
  if (head.Kind === 'base')
    throw refuse(`${quote(id)} is no change: it is the list as it was found at ${timeOfId(id)}.`);
  if (mayRun(head, deployment.now()))
    throw refuse(
      `The change ${quote(id)} began at ${timeOfId(id)} and has no end, so it may still run. Undo it when it has ended, or 15 minutes after it began.`,
    );
  // Without an end, the later changes tell what this one has written.
  const records =
    head.EndedAt === undefined
      ? await readRecords(deployment, list, ({ Id }) => Id === id)
      : [{ head, ...(await rows(head)) }];
  requireReadable(list, records);
  return { head, changes: findDone(tables[list].partitionKey, records, stored).get(id) ?? [] };
};
