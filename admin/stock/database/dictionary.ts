import type { DatabaseSync } from 'node:sqlite';
import { fold } from '../look-alikes.ts';

type Table = 'client' | 'material' | 'unit' | 'orders';

/** No id is left between two neighbours, so the ids have to be spread. */
export class NoRoomForId extends Error {
  override readonly name = 'NoRoomForId';
}

/** The first id, in the middle of the numbers that SQLite keeps in 6 bytes. */
const FIRST_ID = 2 ** 46;
const OUTER_GAP = 2 ** 28;
/** This share of a gap stays free before a new id. In a series, the share is smaller, because more texts are likely to follow. */
const SHARE_OF_GAP = 1 / 4;
const SHARE_IN_SERIES = 1 / 32;

/** SQLite sorts these bytes as JavaScript sorts the texts. */
export const sortKeyOf = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Gives texts ids in the order of the texts, so that a sort by id is a sort by text. */
export const createDictionary = (db: DatabaseSync, table: Table) => {
  const find = db.prepare(`SELECT id FROM ${table} WHERE sort_key = ?`);
  const findBefore = db.prepare(`SELECT id FROM ${table} WHERE sort_key < ? ORDER BY sort_key DESC LIMIT 1`);
  const findAfter = db.prepare(`SELECT id FROM ${table} WHERE sort_key > ? ORDER BY sort_key LIMIT 1`);
  const insert = db.prepare(`INSERT INTO ${table} (id, name, sort_key, folded) VALUES (?, ?, ?, ?)`);
  const knownIds = new Map<string, number>();

  const idOfRow = (row: Record<string, unknown> | undefined) =>
    typeof row?.['id'] === 'number' ? row['id'] : undefined;

  let last: number | undefined;

  const add = (texts: readonly string[], before: number | undefined, after: number | undefined) => {
    const share = before !== undefined && before === last ? SHARE_IN_SERIES : SHARE_OF_GAP;
    let id = before;
    for (const [index, text] of texts.entries()) {
      id = idBetween(id, after, texts.length - index, share);
      insert.run(id, text, sortKeyOf(text), fold(text));
      knownIds.set(text, id);
    }
    last = id;
  };

  const findKnown = (text: string) => {
    const id = knownIds.get(text) ?? idOfRow(find.get(sortKeyOf(text)));
    if (id !== undefined) knownIds.set(text, id);
    return id;
  };

  return {
    find: findKnown,

    /** Adds the texts that are new. Call it in a transaction. The texts of one call share a gap evenly. */
    addAll: (texts: Iterable<string>) => {
      const unknown = [...new Set(texts)].filter((text) => findKnown(text) === undefined).sort();
      let from = 0;
      while (from < unknown.length) {
        const key = sortKeyOf(unknown[from] ?? '');
        const [before, after] = [findBefore.get(key), findAfter.get(key)].map(idOfRow);
        let until = from + 1;
        while (until < unknown.length && idOfRow(findAfter.get(sortKeyOf(unknown[until] ?? ''))) === after)
          until += 1;
        add(unknown.slice(from, until), before, after);
        from = until;
      }
    },

    /** The id of a text that was added. */
    idOf: (text: string): number => {
      const id = findKnown(text);
      if (id === undefined) throw new Error(`${table} has no row for a text.`);
      return id;
    },

    forgetAll: () => knownIds.clear(),
  };
};

/** The id of the first of `count` texts in a gap. */
const idBetween = (before: number | undefined, after: number | undefined, count: number, share: number) => {
  if (before === undefined) return after === undefined ? FIRST_ID : after - count * OUTER_GAP;
  if (after === undefined) return before + OUTER_GAP;
  const gap = after - before;
  if (gap <= count) throw new NoRoomForId();
  return before + Math.max(1, Math.floor(gap * Math.min(share, 1 / (count + 1))));
};
