import type { DatabaseSync } from 'node:sqlite';
import { type Item, toListRow } from '../../../shared/storage/attribute-json.ts';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { createTurns } from '../../../shared/turns.ts';
import type { Session } from '../../deployment/session.ts';
import { readList } from '../../lists/storage/read-list.ts';
import { toCellText } from '../../text/output.ts';
import { foldTexts } from '../database/keep-list-changes.ts';
import { changeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import { selectAttributes } from '../queries/lists-at.ts';

const inTurn = createTurns();

/** Copies both lists from the service. One load comes after the other, so that an older list does not replace a newer one. */
export const loadLists = (db: DatabaseSync, session: Session) => inTurn(() => loadBoth(db, session));

const loadBoth = async (db: DatabaseSync, session: Session) => {
  const lists = await Promise.all(
    listNames.map(async (list) => {
      const items = await readList(session, list);
      return { list, rows: [...items.values()].map((item) => toStoredRow(list, item)) };
    }),
  );
  // In one transaction: if the rows were written without their attributes, the next load would not add the attributes.
  changeStock(db, () => {
    const changed = lists.filter(({ list, rows }) => replaceRows(db, list, rows));
    if (changed.length === 0) return;
    updateSearchTexts(db);
    writeAttributes(db);
  });
};

type StoredRow = { identifier: string; attributes: string };

const toStoredRow = (list: ListName, item: Item) => {
  const key = tables[list].partitionKey;
  const { [key]: identifier, ...attributes } = toListRow(key, item);
  return {
    identifier: toCellText(identifier),
    attributes: JSON.stringify(attributes),
    item,
  };
};

/** The texts of a row that a search looks into, each on its own line. */
export const toSearchText = (list: ListName, item: Item) =>
  foldTexts(Object.values(toListRow(tables[list].partitionKey, item)));

const replaceRows = (
  db: DatabaseSync,
  list: ListName,
  rows: readonly ReturnType<typeof toStoredRow>[],
): boolean => {
  const stored = new Map(
    rowsOf<StoredRow>(db.prepare('SELECT identifier, attributes FROM list_row WHERE list = ?'), list).map(
      (row) => [row.identifier, row],
    ),
  );
  const isSame = ({ identifier, attributes }: StoredRow) => stored.get(identifier)?.attributes === attributes;
  if (rows.length === stored.size && rows.every(isSame)) return false;
  db.prepare('DELETE FROM list_row WHERE list = ?').run(list);
  const insert = db.prepare('INSERT INTO list_row VALUES (?, ?, ?, ?)');
  for (const { identifier, attributes, item } of rows)
    insert.run(list, identifier, toSearchText(list, item), attributes);
  return true;
};

/** A search for a material also finds the texts of its row in the list. */
const updateSearchTexts = (db: DatabaseSync) =>
  db.exec(`
    INSERT OR IGNORE INTO word SELECT 'material', identifier, folded FROM list_row WHERE list = 'MaterialCodes';
    UPDATE word SET folded = next FROM (
      SELECT word.text, ifnull(list_row.folded, fold(word.text)) AS next
      FROM word LEFT JOIN list_row ON list = 'MaterialCodes' AND identifier = word.text WHERE word.kind = 'material'
    ) AS wanted
    WHERE word.kind = 'material' AND word.text = wanted.text AND folded <> next`);

const writeAttributes = (db: DatabaseSync) =>
  db.exec(`DELETE FROM attribute; INSERT INTO attribute (list, name, kind) ${selectAttributes('list_row')}`);
