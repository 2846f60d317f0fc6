import createClient from 'openapi-fetch';
import type { paths } from './api.js';
import { account, batch, print, refusedBatch, TIMESTAMP } from './scenario.js';

/* The client of openapi-fetch, with the types of openapi-typescript. */

const client = createClient<paths>({
  baseUrl: account.baseUrl,
  headers: { Authorization: account.authorization },
});

const change = await client.POST('/rest/warehouse-control/changes', { body: { Timestamp: TIMESTAMP } });
const snapshot = await client.POST('/rest/warehouse-control/material-stock-balance', { body: batch });
const codes = await client.GET('/rest/warehouse-control/material-codes');
const orders = await client.GET('/rest/warehouse-control/purchase-orders');
const refused = await client.POST('/rest/warehouse-control/material-stock-balance', { body: refusedBatch });

print({
  change: change.data?.Timestamp,
  entryCount: snapshot.data?.EntryCount,
  names: codes.data?.MaterialCodes.map((row) => [row.MaterialCode, row['Name'] ?? null]),
  orders: orders.data?.PurchaseOrders.map((row) => row.PurchaseOrder),
  refused: [refused.response.status, problemOf(refused.error)],
});

/** Above 10 MB, the error is plain text. */
function problemOf(error: typeof refused.error) {
  return typeof error === 'object' ? error.errors?.map(({ pointer }) => pointer) : error;
}
