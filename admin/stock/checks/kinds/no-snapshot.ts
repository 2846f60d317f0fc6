import { defineKind } from '../parts/define-kind.ts';

/** Until all batches of a warehouse are known, unknown older batches may exist. So a moment before the known batches has no finding. */
export const noSnapshot = defineKind({
  kind: 'no-snapshot',
  severity: 'error',
  title: 'warehouses that have sent no batch',
  checks: [
    {
      found: `
        SELECT c.client, c.client AS subject, NULL AS materials
        FROM check_batch AS c JOIN main.client ON client.name = c.client
        WHERE c.is_late_without_batch
        AND (has_all_batches OR NOT EXISTS (SELECT 1 FROM main.batch WHERE batch.client = c.client))`,
      data: {},
    },
  ],
  write: () => ({
    detail: 'Has sent no batch, or all its batches have expired, so nothing was checked.',
    advice:
      'Make sure that its warehouse system sends balances, or remove the client if it is no longer used.',
  }),
});
