import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import { rowsOf } from '../database/rows.ts';
import type { ColumnKind, TableColumn } from './table-query.ts';

/** Shows and sorts by a column or an expression of the row. Queries name their rows `b`, and the rows that a page shows `shown`. */
export const column = (
  name: string,
  title: string,
  kind: ColumnKind,
  from: string | ((row: 'b' | 'shown') => string),
): TableColumn => {
  const sqlOf = typeof from === 'string' ? (row: string) => `${row}.${from}` : from;
  return { name, title, kind, sql: sqlOf('shown'), sortSql: sqlOf('b') };
};

/** Shows a name, and sorts by its id. */
const nameColumn = (name: string, title: string, kind: ColumnKind, table: string): TableColumn => ({
  ...{ name, title, kind },
  ...{ sql: `${table}.name`, sortSql: `b.${table}` },
});

/** Columns of tables whose rows `b` are balances. `NAMES` joins their names. */
export const materialColumn = nameColumn('MaterialCode', 'Material', 'text', 'material');
export const clientColumn = nameColumn('Client', 'Warehouse', 'text', 'client');
export const balanceColumn = column('StockBalance', 'Balance', 'number', 'value');
export const unitColumn = nameColumn('StockBalanceUnit', 'Unit', 'text', 'unit');
export const ordersColumn = nameColumn('PurchaseOrders', 'Orders', 'texts', 'orders');

export const NAMES = `
  JOIN material ON material.id = shown.material
  JOIN client ON client.id = shown.client
  JOIN unit ON unit.id = shown.unit
  JOIN orders ON orders.id = shown.orders`;

/** The time of the first loaded batch that has the balance. `earliest` is the time of the client's first loaded batch. */
export const beginning = (row: 'b' | 'shown') => `max(${row}.begun, ${row === 'b' ? 'c' : row}.earliest)`;

/** A column of the batch of a client at an instant. `client` and `instant` are expressions of the row. */
export const ofBatch = (column: string, client: string, instant: string) =>
  `(SELECT ${column} FROM main.batch WHERE batch.client = ${client} AND batch.instant = ${instant})`;

type Attribute = { id: number; name: string; kind: 'text' | 'number' };

/**
 * Adds a column for each attribute of a list, after the first column. An admin may give an attribute any name. So the name of its
 * column begins with `list.`, as no other name does, and its title differs from all other titles.
 */
export const withAttributes = (
  db: DatabaseSync,
  list: ListName,
  [key, ...others]: readonly [TableColumn, ...TableColumn[]],
  sqlOf: (attribute: Attribute, row: 'b' | 'shown') => string,
): TableColumn[] => {
  const select = db.prepare('SELECT id, name, kind FROM attribute WHERE list = ? ORDER BY id');
  const attributes = rowsOf<Attribute>(select, list);
  const titles = [key, ...others].map(({ title }) => title);
  const taken = new Set([...titles, ...attributes.map(({ name }) => name)]);
  const free = (title: string): string => (taken.has(title) ? free(`${title} (list)`) : title);
  const columns = attributes.map((attribute) => {
    const { name, kind } = attribute;
    const title = titles.includes(name) ? free(name) : name;
    return {
      ...column(`list.${name}`, title, kind, (row) => sqlOf(attribute, row)),
      attribute: name,
    };
  });
  return [key, ...columns, ...others];
};

/** For tables whose rows have a material. */
export const withMaterialAttributes = (db: DatabaseSync, ...columns: [TableColumn, ...TableColumn[]]) =>
  withAttributes(db, 'MaterialCodes', columns, ({ id, kind }, row) => {
    const value = kind === 'number' ? 'value + 0' : 'value';
    return `(SELECT ${value} FROM material_attribute WHERE attribute = ${id} AND material = ${row}.material)`;
  });
