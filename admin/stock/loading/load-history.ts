import type { DatabaseSync } from 'node:sqlite';
import { type ListName, listNames } from '../../../shared/tables.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { createTurns } from '../../../shared/turns.ts';
import type { Session } from '../../deployment/session.ts';
import { historyReader } from '../../lists/history/history-reader.ts';
import { type ChangeHead, timeOfId } from '../../lists/history/records.ts';
import { inGroups } from '../../storage/map-concurrently.ts';
import { explain, Failure } from '../../text/failure.ts';
import {
  createListChangeKeeper,
  damagedChangesOf,
  firstBaseOf,
  forgetChanges,
  forgetExpiredChanges,
  type ListChange,
} from '../database/keep-list-changes.ts';
import { historyFailure, writeMeta } from '../database/meta.ts';
import { changeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';

/** Only a search of all heads finds those that a restore brought back, and that the table was replaced. */
const SEARCH_ALL_EVERY_MS = HOUR_MS;
const CHANGES_AT_A_TIME = 16;

type KnownChange = { id: string; ended: string | null; mayEnd: number };

/** Also between loaders of one file, so that an older head does not replace a newer one. */
const inTurn = createTurns();

export const createHistoryLoader = (db: DatabaseSync) => {
  const { keep, judge } = createListChangeKeeper(db);
  const selectKnown = db.prepare(`
    SELECT id, ended, ended IS NULL AND NOT is_damaged AS mayEnd
    FROM list_change WHERE list = ? ORDER BY id`);
  let searchedAllAt = 0;

  const loadList = async (session: Session, list: ListName, searchesAll: boolean): Promise<void> => {
    const { heads: readHeads, rows } = historyReader(session.deployment);
    const read = async (head: ChangeHead): Promise<ListChange> => ({ head, ...(await rows(head)) });
    const known = rowsOf<KnownChange>(selectKnown, list);
    const since = searchesAll ? undefined : timeOfLastEnded(known);
    const heads = await Array.fromAsync(readHeads(list, { since }));
    const damaged = new Set(searchesAll ? damagedChangesOf(db, list) : []);
    const again = await Promise.all(heads.filter(({ Id }) => damaged.has(Id)).map(read));
    const found = new Set(heads.map(({ Id }) => Id));
    const isReplaced = searchesAll && known.some(({ id }) => !found.has(id));
    if (isReplaced || again.some(({ isDamaged }) => !isDamaged)) {
      // For example, a local run in memory has started again, or a restore brought parts back.
      changeStock(db, () => forgetChanges(db, list));
      return loadList(session, list, searchesAll);
    }
    const endOf = new Map(known.map(({ id, ended }) => [id, ended]));
    const unknown = heads.filter(({ Id, EndedAt = null }) => endOf.get(Id) !== EndedAt);
    for (const group of inGroups(unknown, CHANGES_AT_A_TIME)) {
      const changes = await readGroup(group, read, Boolean(firstBaseOf(db, list)));
      changeStock(db, () => changes.forEach(keep));
    }
  };

  const loadBoth = async (session: Session) => {
    const now = session.now.getTime();
    // The clock may have been set back.
    const searchesAll = Math.abs(now - searchedAllAt) >= SEARCH_ALL_EVERY_MS;
    changeStock(db, () => forgetExpiredChanges(db, session.now));
    await Promise.all(listNames.map((list) => loadList(session, list, searchesAll)));
    if (searchesAll) searchedAllAt = now;
  };

  /** With `hasLists`, the lists were just loaded. */
  return (session: Session, hasLists = false) =>
    inTurn(async () => {
      const failure = await loadBoth(session).then(
        () => '',
        (error: unknown) => {
          if (!isRefusal(error)) throw error;
          return explain(error);
        },
      );
      if (hasLists) changeStock(db, () => listNames.forEach(judge));
      if (failure !== historyFailure(db)) changeStock(db, () => writeMeta(db, 'history_failure', failure));
    });
};

/** Before it, no change is new. */
const timeOfLastEnded = (known: readonly KnownChange[]) => {
  const running = known.findIndex(({ mayEnd }) => mayEnd);
  const last = (running === -1 ? known : known.slice(0, running)).at(-1);
  return last && new Date(timeOfId(last.id));
};

/** Most bases are not needed: only the first one, and the first one after a damaged change. */
const readGroup = async (
  heads: readonly ChangeHead[],
  read: (head: ChangeHead) => Promise<ListChange>,
  isBased: boolean,
) => {
  const isBase = ({ Kind }: ChangeHead) => Kind === 'base';
  const withoutRows = (head: ChangeHead) => ({
    head,
    changes: [],
    left: new Set<string>(),
    isDamaged: false,
  });
  const changes = await Promise.all(heads.map((head) => (isBase(head) ? withoutRows(head) : read(head))));
  let knowsList = isBased;
  for (const [index, { head }] of changes.entries()) {
    if (isBase(head) && !knowsList) changes[index] = await read(head);
    knowsList = (knowsList || isBase(head)) && !changes[index]?.isDamaged;
  }
  return changes;
};

/** Without the permission, or in an older deployment, all but the history can be read. */
const isRefusal = (error: unknown) =>
  error instanceof Failure || (error instanceof Error && error.name === 'AccessDeniedException');
