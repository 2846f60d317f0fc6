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

/** The single orders of a balance, as a table with a column `value`. */
export const eachOrderOf = (orders: string) =>
  `json_each('[' || replace(json_quote(${orders}), ' ', '","') || ']')`;

export const lateFrom = (lastBatch: string) => `late_from(item, ${millisecondsOf(lastBatch)})`;

/** Whether a client whose last batch has this id, or null, is late at a moment. True for a damaged client without a batch. */
export const isLate = (lastBatch: string, at: string) => `(
  ifnull(state_of(item, ${lateFrom(lastBatch)}, ${at}) = 'late', FALSE) OR ${lastBatch} IS NULL AND item ->> 'SilenceFrom' IS NULL
)`;

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

/** Columns that several tables have. */
export const common = {
  material: column('MaterialCode', 'Material', 'text', 'b.material'),
  client: column('Client', 'Warehouse', 'text', 'b.client'),
  balance: column('StockBalance', 'Balance', 'number', 'b.value'),
  unit: column('StockBalanceUnit', 'Unit', 'text', 'b.unit'),
  orders: column('PurchaseOrders', 'Orders', 'texts', 'b.orders'),
};

/** `value` minus the value before it, exactly. */
export const differenceColumn = (value: string, before: string): TableColumn => ({
  ...column('Difference', 'Difference', 'number', `exact_difference(${value}, ${before})`),
  sortSql: `${value} - ${before}`,
});
