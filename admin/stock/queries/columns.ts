import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import { rowsOf } from '../database/rows.ts';
import type { ColumnKind, TableColumn } from './table-query.ts';

/** A column of the row, or what is computed of it, which sorts as it is shown. */
export const column = (
  name: string,
  title: string,
  kind: ColumnKind,
  from: string | ((row: 'b' | 'shown') => string),
): TableColumn => {
  const sqlOf = typeof from === 'string' ? (row: string) => `${row}.${from}` : from;
  return { name, title, kind, sql: sqlOf('shown'), sortSql: sqlOf('b') };
};

/** A column that shows a name, and sorts by its id. */
const named = (name: string, title: string, kind: ColumnKind, table: string): TableColumn => ({
  ...{ name, title, kind },
  ...{ sql: `${table}.name`, sortSql: `b.${table}` },
});

/** Columns of tables whose rows are balances, as `b`, with the names that `NAMES` adds. */
export const materialColumn = named('MaterialCode', 'Material', 'text', 'material');
export const clientColumn = named('Client', 'Warehouse', 'text', 'client');
export const balanceColumn = column('StockBalance', 'Balance', 'number', 'value');
export const unitColumn = named('StockBalanceUnit', 'Unit', 'text', 'unit');
export const ordersColumn = named('PurchaseOrders', 'Orders', 'texts', 'orders');

export const NAMES = `
  JOIN material ON material.id = shown.material
  JOIN client ON client.id = shown.client
  JOIN unit ON unit.id = shown.unit
  JOIN orders ON orders.id = shown.orders`;

/** When the first known batch came that has the balance. `first` is the earliest loaded batch of the client. */
export const beginning = (row: 'b' | 'shown') => `max(${row}.since, ${row === 'b' ? 'c' : row}.first)`;

/** A column of the batch at a position. `client` and `position` are expressions of the row. */
export const ofBatch = (column: string, client: string, position: string) =>
  `(SELECT ${column} FROM main.batch WHERE batch.client = ${client} AND batch.position = ${position})`;

type Attribute = { id: number; name: string; kind: 'text' | 'number' };

/**
 * The columns of a table, with the attributes of a list after the first one. An admin may give an attribute any name, so the name of
 * its column begins as no other does, and its title is none of the others.
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
export const withMaterialAttributes = (db: DatabaseSync, ...own: [TableColumn, ...TableColumn[]]) =>
  withAttributes(db, 'MaterialCodes', own, ({ id, kind }, row) => {
    const value = kind === 'number' ? 'value + 0' : 'value';
    return `(SELECT ${value} FROM material_attribute WHERE attribute = ${id} AND material = ${row}.material)`;
  });
