import type { DatabaseSync } from 'node:sqlite';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { describeDamaged, timeOfId } from '../../lists/history/records.ts';
import { Failure } from '../../text/failure.ts';
import { formatTime } from '../../text/time.ts';
import { damagedChangesOf, firstBaseOf } from '../database/keep-list-changes.ts';
import { historyFailure, readMeta } from '../database/meta.ts';
import { FOREVER, rowsOf } from '../database/rows.ts';
import { untilOf } from './filter.ts';

/** Whether a moment is before the last read. Since then, the lists may have been changed past these tools. */
export const isPast = (db: DatabaseSync, at: string) =>
  Date.parse(at) < (readMeta<number>(db, 'loaded_at') ?? 0);

/** After a read that failed, newer changes may be missing. */
const isKnownAt = (db: DatabaseSync, list: ListName, at: string) =>
  historyFailure(db) === '' && (firstBaseOf(db, list) ?? FOREVER) <= untilOf(at);

/** The time at which the history of a list begins, or null without a history. */
export const historySince = (db: DatabaseSync, list: ListName) => {
  const first = firstBaseOf(db, list);
  return first ? timeOfId(first) : null;
};

const titleOf = (list: ListName) => tables[list].list.title;

const reasonOf = (db: DatabaseSync, list: ListName) => {
  const [failure, since] = [historyFailure(db), historySince(db, list)];
  if (failure) return `their history cannot be read. ${failure}`;
  return since ? `their history begins at ${formatTime(new Date(since))}.` : `they ${NO_HISTORY}`;
};
/** None yet, or all has expired. */
const NO_HISTORY = 'have no known past. It begins with the next change by these tools.';

/** What to say of each list whose history does not go back to a moment. */
export const describeUnknownLists = (db: DatabaseSync, moment: Date | undefined): string[] => {
  const at = moment?.toISOString();
  return listNames
    .filter((list) => at !== undefined && isPast(db, at) && !isKnownAt(db, list, at))
    .map((list) => `The ${titleOf(list)} are as of now, because ${reasonOf(db, list)}`);
};

export const describeDamage = (db: DatabaseSync, list: ListName) => {
  const ids = damagedChangesOf(db, list);
  return ids.length > 0 ? [describeDamaged(list, ids)] : [];
};

/** When the history of a list begins, and what of it is damaged. Throws if it cannot be read. */
export const describeHistory = (db: DatabaseSync, list: ListName): string[] => {
  const failure = historyFailure(db);
  if (failure) throw new Failure(`The history of the lists cannot be read. ${failure}`);
  const since = historySince(db, list);
  const begins = since
    ? `The history of the ${titleOf(list)} begins at ${formatTime(new Date(since))}.`
    : `The ${titleOf(list)} ${NO_HISTORY}`;
  return [begins, ...describeDamage(db, list)];
};

/** The rows of a list at a moment, in SQL, or as they are now if there is no moment, or no history of it. `until` is the moment in SQL. */
export const listRowsAt = (
  db: DatabaseSync,
  list: ListName,
  at: string | undefined,
  until = ':at',
): string => {
  const isOfThen = at !== undefined && isPast(db, at) && isKnownAt(db, list, at);
  const moment = isOfThen ? `AND begun <= ${until} AND ended > ${until}` : '';
  return `(
    SELECT list, identifier, folded, attributes FROM main.${isOfThen ? 'list_period' : 'list_row'} WHERE list = '${list}' ${moment}
  )`;
};

/** A number of at most this many characters reads back as it was written. */
export const MAX_EXACT_LENGTH = 15;

/** Names and kinds of the attributes in rows of lists. The attribute `name` comes first, then the other attributes by their names. */
export const selectAttributes = (rows: string) => `
  SELECT list, key AS name, iif(min(
    type IN ('integer', 'real') AND length(attributes -> fullkey) <= ${MAX_EXACT_LENGTH}
  ), 'number', 'text') AS kind
  FROM ${rows}, json_each(attributes) WHERE type <> 'null'
  GROUP BY list, key ORDER BY lower(key) = 'name' DESC, key`;

export type Attribute = { name: string; kind: 'text' | 'number' };

export const attributesAt = (db: DatabaseSync, list: ListName, at: string | undefined): Attribute[] => {
  if (at === undefined)
    return rowsOf(db.prepare('SELECT name, kind FROM attribute WHERE list = ? ORDER BY id'), list);
  return rowsOf(db.prepare(selectAttributes(listRowsAt(db, list, at, `'${untilOf(at)}'`))));
};
