/** In Cyrillic, as many are in the field, and none that a warehouse has. */
const CODE = 'Док';

type Entry = {
  MaterialCode: string;
  StockBalance: number;
  StockBalanceUnit: string;
  PurchaseOrders: string[] | Record<string, never>;
};
type Batch = { MaterialCodes: Entry[] };

const entry = (MaterialCode: string, StockBalance: number, PurchaseOrders: Entry['PurchaseOrders'] = {}) => ({
  MaterialCode,
  StockBalance,
  StockBalanceUnit: 'kg',
  PurchaseOrders,
});

/** Of the size and the look of those in the field: some 105 bytes an entry. */
export const batchOf = (count: number): Batch => ({
  MaterialCodes: Array.from({ length: count }, (_, index) =>
    entry(`${CODE}-${index}`, -index / 8, index % 3 === 0 ? {} : ['OT0000001', 'OT0000002'].slice(index % 2)),
  ),
});

/** As short as entries are, so that the most of them take some 3 MB. */
export const shortBatchOf = (count: number): Batch => ({
  MaterialCodes: Array.from({ length: count }, (_, index) => entry(`D${index}`, index % 10)),
});

export const twice = (code: string): Batch => ({ MaterialCodes: [entry(code, 1), entry(code, 2)] });

export const jsonOf = (body: unknown) => JSON.stringify(body);

/** As PHP and others write it. */
export const escaped = (text: string) =>
  text.replaceAll(/[\u0080-\uFFFF]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
