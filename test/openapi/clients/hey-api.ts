import { client } from './api/client.gen.js';
import { getMaterialCodes, getPurchaseOrders, postChange, postMaterialStockBalance } from './api/index.js';
import { account, batch, print, refusedBatch, TIMESTAMP } from './scenario.js';

/* The client of @hey-api/openapi-ts. */

/** The client's own `auth` setting fails for passwords with other characters than those of Latin-1. */
client.setConfig({ baseUrl: account.baseUrl, headers: { Authorization: account.authorization } });

const change = await postChange({ body: { Timestamp: TIMESTAMP } });
const snapshot = await postMaterialStockBalance({ body: batch });
const codes = await getMaterialCodes();
const orders = await getPurchaseOrders();
const refused = await postMaterialStockBalance({ body: refusedBatch });

print({
  change: change.data?.Timestamp,
  entryCount: snapshot.data?.EntryCount,
  names: codes.data?.MaterialCodes.map((row) => [row.MaterialCode, row['Name'] ?? null]),
  orders: orders.data?.PurchaseOrders.map((row) => row.PurchaseOrder),
  refused: [refused.response?.status, problemOf(refused.error)],
});

/** Above 10 MB, the error is plain text. */
function problemOf(error: typeof refused.error) {
  return typeof error === 'object' ? error.errors?.map(({ pointer }) => pointer) : error;
}
