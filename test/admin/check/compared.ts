import type { Latest } from '../../../admin/check/comparison.ts';
import { findFaults } from '../../../admin/check/find-faults.ts';
import type { Kind } from '../../../admin/check/finding.ts';

export const entry = (MaterialCode: string, StockBalanceUnit = 'kg', PurchaseOrders: string[] = []) => ({
  MaterialCode,
  StockBalance: 1,
  StockBalanceUnit,
  PurchaseOrders,
});

type Told = {
  codes?: (string | Record<string, unknown>)[];
  orders?: string[];
  latest?: Latest[];
};

/** What is found of one kind, of what is told here; a code alone is a row without attributes. */
export const findingsOf = (kind: Kind, { codes = [], orders = [], latest = [] }: Told) =>
  findFaults({
    codes: codes.map((row) => (typeof row === 'string' ? { MaterialCode: row } : row)),
    orders,
    latest,
  })
    .filter((finding) => finding.kind === kind)
    .map(({ client, subject, detail }) => ({ client, subject, detail }));
