import { defineKind } from '../parts/define-kind.ts';

/** In place of a damaged batch, no check uses the batch before it. People would take this older batch for the latest batch. */
export const damagedSnapshot = defineKind<{ damage: string; isLatest: number }>({
  kind: 'damaged-snapshot',
  name: 'damaged batch',
  severity: 'error',
  title: 'batches that cannot be read completely',
  checks: [
    {
      found: `
        SELECT client, id AS subject, NULL AS materials, damage, TRUE AS isLatest
        FROM check_batch WHERE state = 'damaged'
        UNION ALL SELECT client, previous, NULL, previous_damage, FALSE
        FROM check_latest WHERE previous_state = 'damaged'`,
      since: 'found.subject',
      batch: 'found.subject',
      // A value that somebody wrote by hand may be long.
      data: { damage: 'substr(found.damage, 1, 1000)', isLatest: 'isLatest' },
    },
  ],
  write: ({ client, damage, isLatest }) =>
    isLatest
      ? {
          detail: `${damage} This check left the batch out.`,
          advice: `The next batch of ${client} replaces this batch.`,
        }
      : {
          detail: `${damage} So the latest batch was not compared with this batch.`,
          advice: `After the next batch of ${client}, the check no longer needs this batch.`,
        },
});
