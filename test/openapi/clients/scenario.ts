/* What every TypeScript client sends. The programs in Java and C# send the same. */

const { BASE_URL = '', USERNAME = '', PASSWORD = '' } = process.env;

export const account = {
  baseUrl: BASE_URL,
  authorization: `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`,
};

export const TIMESTAMP = '2026-03-01T08:15:30,250Z';

const entry = { MaterialCode: 'ABC-1', StockBalance: -12.125, StockBalanceUnit: 'kg' };

export const batch = {
  MaterialCodes: [
    { ...entry, PurchaseOrders: ['OT1234567', 'OT1234567'] },
    { ...entry, MaterialCode: 'Сталь-10/А', PurchaseOrders: {} },
  ],
};

/** An empty array, where the service accepts only the empty object. */
export const refusedBatch = { MaterialCodes: [{ ...entry, PurchaseOrders: [] }] };

export const print = (outcome: object) => process.stdout.write(`${JSON.stringify(outcome)}\n`);
