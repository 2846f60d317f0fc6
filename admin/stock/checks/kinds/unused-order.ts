import {
  defineKind,
  LATEST_BATCHES,
  type LatestBatches,
  OTHERS,
  writeLatestBatches,
} from '../parts/define-kind.ts';

export const unusedOrder = defineKind<LatestBatches>({
  kind: 'unused-order',
  name: 'unused order',
  severity: 'note',
  title: 'purchase orders in the list that no balance names',
  list: 'PurchaseOrders',
  checks: [
    {
      found: `
        SELECT NULL AS client, identifier AS subject, NULL AS materials FROM check_list_row
        WHERE list = 'PurchaseOrders' AND identifier NOT IN (SELECT name FROM check_order)
        AND EXISTS (SELECT 1 FROM check_latest)`,
      data: LATEST_BATCHES,
    },
  ],
  write: (latest) => ({
    detail: `Is in the list, but no balance in ${writeLatestBatches(latest)} names it.`,
    advice: latest.hasOthers ? OTHERS : 'Remove it from the list if it is closed.',
  }),
});
