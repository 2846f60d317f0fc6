import type { DatabaseSync } from 'node:sqlite';
import { type ListName, tables } from '../../../shared/tables.ts';
import { rowsOf } from '../database/rows.ts';
import type { ColumnKind, TableColumn } from './read-table.ts';

export const column = (name: string, title: string, kind: ColumnKind, sql: string): TableColumn => ({
  name,
  title,
  kind,
  sql,
});

/** The time at the beginning of the id of a batch. */
export const timeOf = (id: string) => `substr(${id}, 1, 24)`;

/** A time in milliseconds. The text may be an id of a batch. */
export const millisecondsOf = (text: string) =>
  `CAST(round(unixepoch(${timeOf(text)}, 'subsec') * 1000) AS INTEGER)`;

export const timeColumn = (name: string, title: string, text: string): TableColumn => ({
  ...column(name, title, 'time', millisecondsOf(text)),
  sortSql: text,
});

/** All batches of the clients from this time on are known. Older ones could change the row. Null if the service has none. */
export const batchesSinceColumn = (clients: string) =>
  timeColumn(
    'BatchesSince',
    'From batches since',
    `(SELECT max(known_since) FROM client WHERE name IN ${clients})`,
  );

/** Columns of tables whose rows are balances. */
export const materialColumn = column('MaterialCode', 'Material', 'text', 'b.material');
export const clientColumn = column('Client', 'Warehouse', 'text', 'b.client');
export const balanceColumn = column('StockBalance', 'Balance', 'number', 'b.value');
export const unitColumn = column('StockBalanceUnit', 'Unit', 'text', 'b.unit');
export const ordersColumn = column('PurchaseOrders', 'Orders', 'texts', 'b.orders');

/** `value` minus the value before it, exactly. */
export const differenceColumn = (value: string, before: string): TableColumn => ({
  ...column('Difference', 'Difference', 'number', `exact_difference(${value}, ${before})`),
  sortSql: `${value} - ${before}`,
});

type Attribute = { name: string; kind: 'text' | 'number' };

/** A literal of SQL. */
const toLiteral = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A number or a text as it is, and any other value as JSON, which keeps all digits of a number. */
const valueIn = (attributes: string, { name, kind }: Attribute) => {
  const path = toLiteral(`$.${JSON.stringify(name)}`);
  if (kind === 'number') return `${attributes} ->> ${path}`;
  return `CASE json_type(${attributes}, ${path}) WHEN 'text' THEN ${attributes} ->> ${path}
    WHEN 'null' THEN NULL ELSE ${attributes} -> ${path} END`;
};

/**
 * Adds a column for each attribute of a list, after the first column. An admin may give an attribute any name. So the name of its
 * column begins with `list.`, as no other name does, and its title differs from all other titles.
 */
export const withAttributes = (
  db: DatabaseSync,
  list: ListName,
  [key, ...others]: readonly [TableColumn, ...TableColumn[]],
  wrap = (value: string) => value,
  row = 'b',
): TableColumn[] => {
  const select = db.prepare('SELECT name, kind FROM attribute WHERE list = ? ORDER BY id');
  const attributes = rowsOf<Attribute>(select, list);
  const titles = [key, ...others].map(({ title }) => title);
  const taken = new Set([...titles, ...attributes.map(({ name }) => name)]);
  const free = (title: string): string => (taken.has(title) ? free(`${title} (list)`) : title);
  const columns = attributes.map((attribute) => {
    const { name, kind } = attribute;
    const title = titles.includes(name) ? free(name) : name;
    return {
      ...column(`list.${name}`, title, kind, wrap(valueIn(`${row}.attributes`, attribute))),
      attribute: name,
    };
  });
  return [key, ...columns, ...others];
};

/** For tables whose rows have a material. */
export const withMaterialAttributes = (db: DatabaseSync, ...columns: [TableColumn, ...TableColumn[]]) =>
  withAttributes(
    ...([db, 'MaterialCodes', columns] as const),
    (value) =>
      `(SELECT ${value} FROM list_row AS listed WHERE list = 'MaterialCodes' AND identifier = b.material)`,
    'listed',
  );

export const keyOf = (list: ListName) => tables[list].partitionKey;
