import type { DatabaseSync } from 'node:sqlite';
import { showFindings } from '../../../../admin/stock/checks/findings/show-findings.ts';
import type { Kind } from '../../../../admin/stock/checks/kinds.ts';
import { FOREVER } from '../../../../admin/stock/database/balance-rows.ts';
import { sortKeyOf } from '../../../../admin/stock/database/dictionary.ts';
import { rowsOf } from '../../../../admin/stock/database/rows.ts';
import type { StockBalanceEntry } from '../../../../shared/schemas/stock-balance.ts';
import { type Batch, entry, makeStock } from '../make-stock.ts';

export type Latest = { client: string; entries: StockBalanceEntry[] };

export const sent = (client: string, ...codes: string[]): Latest => {
  return { client, entries: codes.map((code) => entry(code, 1)) };
};
export const naming = (client: string, orders: Record<string, string[]>): Latest => {
  return { client, entries: Object.entries(orders).map(([code, names]) => entry(code, 1, 'kg', names)) };
};
export const inUnits = (client: string, units: Record<string, string>): Latest => {
  return { client, entries: Object.entries(units).map(([code, unit]) => entry(code, 1, unit)) };
};

export type Given = {
  /** A code alone is a row without attributes. */
  codes?: (string | Record<string, unknown>)[];
  orders?: string[];
  /** The only batch of each warehouse. */
  latest?: Latest[];
  batches?: Record<string, readonly Batch[]>;
};

/** A stock with lists, before any check. */
export const stockWith = ({ codes = [], orders = [], latest = [], batches = {} }: Given) => {
  const only = latest.map(({ client, entries }) => [client, [{ at: 1_000, entries }]] as const);
  const stock = makeStock({ ...Object.fromEntries(only), ...batches });
  const insert = stock.db.prepare(`INSERT INTO list_row VALUES (?, ?, ?, '', ?)`);
  const rows = codes.map((row) => (typeof row === 'string' ? { MaterialCode: row } : row));
  for (const { MaterialCode, ...attributes } of rows) {
    const code = String(MaterialCode);
    stock.dictionaries.materials.addAll([code]);
    insert.run('MaterialCodes', code, sortKeyOf(code), JSON.stringify(attributes));
  }
  for (const order of orders) insert.run('PurchaseOrders', order, sortKeyOf(order), '{}');
  return stock;
};

type Shown = {
  kind: Kind;
  severity: string;
  client: string;
  subject: string;
  since: number | null;
  instant: number | null;
  detail: string;
  advice: string;
  count: number;
  materials: string;
};

/** The findings that a connection shows. Materials are codes, separated by blanks. */
export const shownFindings = (db: DatabaseSync) =>
  rowsOf<Shown>(
    db.prepare(`
      SELECT kind, severity, ifnull(client.name, '') AS client, subject, since, instant, detail, advice, count, (
        SELECT ifnull(group_concat(name, ' '), '') FROM (
          SELECT name FROM finding_material JOIN material ON material.id = finding_material.material
          WHERE finding = finding.id ORDER BY material
        )
      ) AS materials
      FROM finding LEFT JOIN client ON client.id = finding.client ORDER BY finding.id`),
  );

/** The findings of the latest stock. */
export const findingsIn = (given: Given) => {
  const { db } = stockWith(given);
  showFindings(db, FOREVER);
  return shownFindings(db);
};

/** The findings of one kind as "warehouse subject: detail advice". */
export const linesOf = (kind: Kind, given: Given) =>
  findingsIn(given)
    .filter((finding) => finding.kind === kind)
    .map(({ client, subject, detail, advice }) => `${client} ${subject}: ${detail} ${advice}`);
