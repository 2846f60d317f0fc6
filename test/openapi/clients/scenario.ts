/* What every TypeScript client sends. The programs in Java and C# send the same. */

const { BASE_URL = '', USERNAME = '', PASSWORD = '', TIMESTAMP = '' } = process.env;

export const account = {
  baseUrl: BASE_URL,
  authorization: `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`,
};

export { TIMESTAMP };

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
