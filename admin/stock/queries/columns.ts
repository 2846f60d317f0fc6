import type { DatabaseSync } from 'node:sqlite';
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
  return { name, title, kind, sql: sqlOf('shown'), sort: sqlOf('b') };
};

/** A column that shows a name, and sorts by its id. */
const named = (name: string, title: string, kind: ColumnKind, table: string): TableColumn => ({
  ...{ name, title, kind },
  ...{ sql: `${table}.name`, sort: `b.${table}` },
});

/** Columns of tables whose rows are balances, as `b`, with the names that `NAMES` adds. */
export const materialColumn = named('MaterialCode', 'Material', 'text', 'material');
export const clientColumn = named('Client', 'Warehouse', 'text', 'client');
export const balanceColumn = column('StockBalance', 'Balance', 'number', 'value');
export const unitColumn = named('StockBalanceUnit', 'Unit', 'text', 'unit');
export const ordersColumn = named('PurchaseOrders', 'Orders', 'list', 'orders');

export const NAMES = `
  JOIN material ON material.id = shown.material
  JOIN client ON client.id = shown.client
  JOIN unit ON unit.id = shown.unit
  JOIN orders ON orders.id = shown.orders`;

/** A column of the batch at a position. `client` and `position` are expressions of the row. */
export const ofBatch = (column: string, client: string, position: string) =>
  `(SELECT ${column} FROM batch WHERE batch.client = ${client} AND batch.position = ${position})`;

type Attribute = { id: number; name: string; kind: 'text' | 'number' };

export const attributesOf = (db: DatabaseSync, list: string) =>
  rowsOf<Attribute>(db.prepare('SELECT id, name, kind FROM attribute WHERE list = ? ORDER BY id'), list);

/** The attributes of the material codes as columns. */
export const attributeColumns = (db: DatabaseSync): TableColumn[] =>
  attributesOf(db, 'MaterialCodes').map(({ id, name, kind }) => {
    const value = kind === 'number' ? 'value + 0' : 'value';
    return column(name, name, kind, (row) => {
      return `(SELECT ${value} FROM material_attribute WHERE attribute = ${id} AND material = ${row}.material)`;
    });
  });
