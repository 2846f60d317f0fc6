import { defineCheck } from '../check.ts';

/** Until all batches of a warehouse are known, it may have sent one before the known ones. So an earlier moment has no finding. */
export const noSnapshot = defineCheck({
  kind: 'no-snapshot',
  findingsSql: `
    SELECT c.client, NULL AS materials, c.name AS subject
    FROM check_batch AS c JOIN main.client ON client.id = c.client
    WHERE c.position IS NULL AND c.is_awaited
    AND (is_settled OR NOT EXISTS (SELECT 1 FROM main.batch WHERE batch.client = c.client))
    ORDER BY c.client`,
  wordsSql: 'SELECT *, NULL AS since, NULL AS position FROM check_found',
  toWords: () => ({
    detail: 'Has sent no batch, or all have expired, so nothing was checked.',
    advice:
      'Make sure that its warehouse system sends balances, or remove the client if it is no longer used.',
  }),
});
