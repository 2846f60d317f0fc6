import { defineCheck } from '../check.ts';

/** Until all batches of a warehouse are known, unknown older batches may exist. So a moment before the known batches has no finding. */
export const noSnapshot = defineCheck({
  kind: 'no-snapshot',
  findingsSql: `
    SELECT c.client, NULL AS materials, c.client AS subject
    FROM check_batch AS c JOIN main.client ON client.name = c.client
    WHERE c.is_late_without_batch
    AND (has_all_batches OR NOT EXISTS (SELECT 1 FROM main.batch WHERE batch.client = c.client))
    ORDER BY c.client`,
  detailsSql: 'SELECT *, NULL AS since, NULL AS batch FROM check_found',
  describe: () => ({
    detail: 'Has sent no batch, or all its batches have expired, so nothing was checked.',
    advice:
      'Make sure that its warehouse system sends balances, or remove the client if it is no longer used.',
  }),
});
