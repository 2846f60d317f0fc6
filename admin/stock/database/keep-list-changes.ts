import type { DatabaseSync } from 'node:sqlite';
import { toListRow } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { ListRecord } from '../../lists/history/history-reader.ts';
import type { ChangeHead } from '../../lists/history/records.ts';
import { type ChangeCounts, countChanges, type RowChange } from '../../lists/plan/row-change.ts';
import { changedAttributes, keepSameValues } from '../../lists/values/compare-values.ts';
import { toCellText } from '../../text/output.ts';
import { fold } from '../look-alikes.ts';
import { FOREVER, rowsOf } from './rows.ts';
import { createStatements } from './write-balances.ts';

/** A change with its rows. The rows of a base count only if it is the first. */
export type ListChange = Omit<ListRecord, 'bytes'>;

type Line = Pick<RowChange, 'kind' | 'identifier'> & {
  attribute: string;
  before: string | null;
  after: string | null;
};

/** Attributes as JSON, by their names. */
type Attributes = ReadonlyMap<string, string>;

/** With the rows of this base, all later rows are known: no later change is damaged. */
const firstBase = (list: string) => `(
  SELECT min(id) FROM main.list_change AS c WHERE c.list = ${list} AND kind = 'base' AND id > ifnull((
    SELECT max(id) FROM main.list_change AS damaged WHERE damaged.list = c.list AND is_damaged
  ), '')
)`;
const FIRST_BASE = firstBase('list_period.list');

export const firstBaseOf = (db: DatabaseSync, list: ListName) =>
  rowsOf<{ id: string | null }>(db.prepare(`SELECT ${firstBase('?')} AS id`), list)[0]?.id;

export const damagedChangesOf = (db: DatabaseSync, list: ListName) =>
  rowsOf<{ id: string }>(
    db.prepare('SELECT id FROM main.list_change WHERE list = ? AND is_damaged ORDER BY id'),
    list,
  ).map(({ id }) => id);

export const foldTexts = (texts: readonly unknown[]) => texts.map(toCellText).map(fold).join('\n');

/** Writes changes of lists, and what the rows of the list were since. Call its functions in a transaction, `keep` for older changes first. */
export const createListChangeKeeper = (db: DatabaseSync) => {
  const { run, all } = createStatements(db);

  const attributesOf = (row: string): Attributes => {
    const select = 'SELECT key AS name, ?1 -> fullkey AS value FROM json_each(?1)';
    return new Map(all<{ name: string; value: string }>(select, row).map(({ name, value }) => [name, value]));
  };

  const begin = (list: ListName, id: string, identifier: string, attributes: Attributes) => {
    const sorted = [...attributes].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const json = `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
    const texts = [identifier, ...sorted.map(([, value]) => textOf(value))];
    run(
      'INSERT OR REPLACE INTO list_period VALUES (?, ?, ?, ?, ?, ?)',
      ...[list, identifier, foldTexts(texts), json, id, FOREVER],
    );
  };

  /** Returns the attributes that the row had. Undefined if there was no row. */
  const end = (list: ListName, id: string, identifier: string): Attributes | undefined => {
    const [row] = all<{ attributes: string }>(
      `UPDATE list_period SET ended = ? WHERE list = ? AND identifier = ? AND ended = '${FOREVER}' RETURNING attributes`,
      ...[id, list, identifier],
    );
    return row && attributesOf(row.attributes);
  };

  const applyRow = (list: ListName, id: string, identifier: string, lines: readonly Line[]) => {
    const row = end(list, id, identifier);
    const kind = lines[0]?.kind;
    // Nobody knows the rest of a changed row whose addition by a killed command was taken back past these tools.
    if (kind === 'removed' || (kind === 'changed' && !row)) return;
    const attributes = new Map(row);
    for (const { attribute, after } of lines) {
      if (after === null) attributes.delete(attribute);
      else attributes.set(attribute, after);
    }
    const { partitionKey: key } = tables[list];
    const renamed = attributes.get(key);
    attributes.delete(key);
    begin(list, id, renamed === undefined ? identifier : String(JSON.parse(renamed)), attributes);
  };

  const applyLines = (list: ListName, id: string, lines: readonly Line[]) => {
    for (const [identifier, ofRow] of Map.groupBy(lines, ({ identifier }) => identifier))
      applyRow(list, id, identifier, ofRow);
  };

  const cut = (list: ListName, id: string) => {
    run('DELETE FROM list_period WHERE list = ? AND begun >= ?', list, id);
    run(
      `UPDATE list_period SET ended = '${FOREVER}' WHERE list = ? AND ended >= ? AND ended < '${FOREVER}'`,
      list,
      id,
    );
  };

  const applyFrom = (list: ListName, id: string) => {
    const ids = all<{ id: string }>(
      'SELECT id FROM list_change WHERE list = ? AND id >= ? ORDER BY id',
      list,
      id,
    );
    const select = 'SELECT * FROM list_line WHERE list = ? AND change = ? AND is_written';
    for (const { id } of ids) applyLines(list, id, all<Line>(select, list, id));
  };

  /** A killed command may have written only some rows of its change. Until the change has an end, the list as it is now tells which. */
  const judge = (list: ListName) => {
    const [first] = all<{ id: string }>(JUDGE, list).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (!first || first.id < (firstBaseOf(db, list) ?? FOREVER)) return;
    cut(list, first.id);
    applyFrom(list, first.id);
  };

  const keep = ({ head, changes, left, isDamaged }: ListChange) => {
    const { Topic: list, Id: id, Kind: kind } = head;
    const isLeft = ({ identifier }: Pick<RowChange, 'identifier'>) => left.has(identifier);
    run(
      'INSERT OR REPLACE INTO list_change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[...valuesOf(head, countChanges(changes.filter(isLeft))), Number(isDamaged)],
    );
    // The next base begins anew.
    if (isDamaged) run('DELETE FROM list_period WHERE list = ?', list);
    const lines = changes.flatMap((change) => linesOf(list, change));
    if (kind === 'base') {
      if (id === firstBaseOf(db, list)) applyLines(list, id, lines);
      return;
    }
    run('DELETE FROM list_line WHERE list = ? AND change = ?', list, id);
    for (const line of lines) {
      const { identifier, attribute, kind, before, after } = line;
      const values = [identifier, attribute, kind, before, after, Number(!isLeft(line))];
      run('INSERT INTO list_line VALUES (?, ?, ?, ?, ?, ?, ?, ?)', list, id, ...values);
    }
    // Before the first base, nobody knows the whole list.
    if (id < (firstBaseOf(db, list) ?? FOREVER)) return;
    cut(list, id);
    applyFrom(list, id);
  };
  return { keep, judge };
};

/** The row of a line as it is now. */
const ROW = 'FROM list_row AS row WHERE row.list = line.list AND row.identifier = line.identifier';
const IS_WRITTEN = `CASE
  WHEN kind IN ('removed', 'renamed') THEN NOT EXISTS (SELECT 1 ${ROW})
  ELSE EXISTS (SELECT 1 ${ROW} AND (attribute = '' OR after IS (
    SELECT row.attributes -> fullkey FROM json_each(row.attributes) WHERE key = line.attribute
  ))) END`;
/** A row that a later change has changed, too, does not tell. */
const JUDGE = `
  UPDATE list_line AS line SET is_written = ${IS_WRITTEN} WHERE list = ?1 AND is_written <> ${IS_WRITTEN}
  AND change IN (SELECT id FROM list_change WHERE list = ?1 AND ended IS NULL)
  AND NOT EXISTS (SELECT 1 FROM list_line AS later WHERE later.identifier = line.identifier AND later.list = ?1 AND later.change > line.change)
  RETURNING change AS id`;

const valuesOf = (head: ChangeHead, left: ChangeCounts) => [
  ...[head.Topic, head.Id, head.By, head.Kind, head.Source ?? null, head.Undoes ?? null, head.Since ?? null],
  ...[head.EndedAt ?? null, head.Added - left.added, head.Changed - left.changed],
  ...[head.Renamed - left.renamed, head.Removed - left.removed, head.Left],
  head.ExpiresAt === undefined ? null : new Date(head.ExpiresAt * 1_000).toISOString(),
];

const linesOf = (list: ListName, { kind, identifier, before, after: written }: RowChange): Line[] => {
  const { partitionKey: key } = tables[list];
  const after = keepSameValues(before, written);
  const values = { before: toListRow(key, before), after: toListRow(key, after) };
  const jsonOf = (side: 'before' | 'after', name: string) =>
    Object.hasOwn(side === 'before' ? before : after, name) ? JSON.stringify(values[side][name]) : null;
  const names = changedAttributes(before, after, key);
  const shown = kind === 'renamed' ? [key, ...names] : names;
  return (shown.length > 0 ? shown : ['']).map((attribute) => ({
    ...{ kind, identifier, attribute },
    before: jsonOf('before', attribute),
    after: jsonOf('after', attribute),
  }));
};

/** A number keeps all digits. */
const textOf = (json: string): unknown => (/^["[]/.test(json) ? JSON.parse(json) : json);

/** Removes expired changes, and what the rows were before the first base that is left. Call it in a transaction. */
export const forgetExpiredChanges = (db: DatabaseSync, now: Date) => {
  const { changes } = db.prepare('DELETE FROM list_change WHERE expires_at <= ?').run(now.toISOString());
  if (changes === 0) return;
  db.exec(`
    DELETE FROM list_line WHERE (list, change) NOT IN (SELECT list, id FROM list_change);
    DELETE FROM list_period WHERE ended <= ifnull(${FIRST_BASE}, '${FOREVER}');
    UPDATE list_period SET begun = ${FIRST_BASE} WHERE begun < ${FIRST_BASE}`);
};

/** Call it in a transaction. */
export const forgetChanges = (db: DatabaseSync, list: ListName) => {
  for (const table of ['list_change', 'list_line', 'list_period'])
    db.prepare(`DELETE FROM ${table} WHERE list = ?`).run(list);
};
