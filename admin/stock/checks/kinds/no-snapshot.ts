import { defineKind } from '../parts/define-kind.ts';

/** If the service has older batches than the loaded ones, a moment before those has no finding. */
export const noSnapshot = defineKind({
  kind: 'no-snapshot',
  name: 'no batch yet',
  severity: 'error',
  title: 'warehouses that have sent no batch',
  checks: [
    {
      found: `
        SELECT client, client AS subject, NULL AS materials
        FROM check_batch WHERE is_late AND id IS NULL AND NOT has_older`,
      data: {},
    },
  ],
  write: () => ({
    detail: 'Has sent no batch, or all its batches have expired, so nothing was checked.',
    advice:
      'Make sure that its warehouse system sends balances, or remove the client if it is no longer used.',
  }),
});
