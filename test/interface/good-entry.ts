/** Of which a test changes what it is about. */
export const GOOD = { MaterialCode: 'ABC-1', StockBalance: 12.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
