/** A batch such as warehouses send: Cyrillic codes, negative balances and balances with three decimals. */
export const batchOf = (count: number, codeEnding = '') => ({
  MaterialCodes: Array.from({ length: count }, (_, index) => ({
    MaterialCode: `Сталь-ABC/${index}${codeEnding}`,
    StockBalance: [index, -index / 8, 1_234.567, 0, -0.001][index % 5] ?? 0,
    StockBalanceUnit: 'kg',
    PurchaseOrders:
      index % 3 === 0 ? {} : ['OT0000001', orderNumber(index), 'OT0000001'].slice(0, 1 + (index % 3)),
  })),
});

/** The smallest batch that needs several parts. */
export const largeBatch = () => batchOf(1_100, '鋼'.repeat(230));

/** Nearly the smallest batch that needs four parts. */
export const fourParts = () => batchOf(1_500, '鋼'.repeat(235));

const orderNumber = (index: number) => `OT${String(index).padStart(7, '0')}`;

type SentEntry = ReturnType<typeof batchOf>['MaterialCodes'][number];

/** An entry as a reader finds it. The orders of an entry without orders are an empty list. */
export const asStored = ({ PurchaseOrders, ...entry }: SentEntry) => ({
  ...entry,
  PurchaseOrders: Array.isArray(PurchaseOrders) ? PurchaseOrders : [],
});

type HasCode = { MaterialCode: string };
export const byCode = (a: HasCode, b: HasCode) => (a.MaterialCode < b.MaterialCode ? -1 : 1);

/** A whole batch as a reader finds it, in the order of the codes, because the stored map has no order. */
export const storedBatch = ({ MaterialCodes }: ReturnType<typeof batchOf>) =>
  MaterialCodes.map(asStored).toSorted(byCode);

/** An instant in the form of a change's Timestamp. */
export const timestampOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.', ',');

/** A deployment keeps the changes of earlier test runs, so each run begins at another instant. */
let instant = Date.UTC(2026, 0, 1) + (Date.now() % 10_000_000_000);

/** A timestamp that no earlier request of this process has sent. */
export const newTimestamp = () => {
  instant += 1;
  return timestampOf(instant);
};

export const entryOf = (code: string, balance: number, unit = 'kg', orders: string[] = []) => ({
  MaterialCode: code,
  StockBalance: balance,
  StockBalanceUnit: unit,
  PurchaseOrders: orders,
});
