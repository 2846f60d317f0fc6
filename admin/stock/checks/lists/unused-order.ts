import { defineCheck } from '../check.ts';
import { describeBatches, LATEST_BATCHES, type LatestBatches } from '../phrases.ts';

export const unusedOrder = defineCheck<LatestBatches>({
  kind: 'unused-order',
  findingsSql: `
    SELECT NULL AS client, NULL AS materials, identifier AS subject FROM main.list_row
    WHERE list = 'PurchaseOrders' AND identifier NOT IN (SELECT name FROM check_order)
    AND EXISTS (SELECT 1 FROM check_latest) ORDER BY identifier`,
  detailsSql: `SELECT *, NULL AS since, NULL AS batch, ${LATEST_BATCHES} FROM check_found`,
  describe: (row) => ({
    detail: `Is in the list, but no balance in ${describeBatches(row)} names it.`,
    advice: 'Remove it from the list if it is closed.',
  }),
});
