import { defineCheck } from '../check.ts';

type Row = { client: string; damage: string; isLatest: number };

/** In place of a damaged batch, no check uses the batch before it. People would take this older batch for the latest batch. */
export const damagedSnapshot = defineCheck<Row>({
  kind: 'damaged-snapshot',
  findingsSql: `
    SELECT client, NULL AS materials, id AS subject, id AS batch, damage, TRUE AS isLatest
    FROM check_batch WHERE state = 'damaged'
    UNION ALL
    SELECT client, NULL, previous, previous, previous_damage, FALSE
    FROM check_latest WHERE previous_state = 'damaged'
    ORDER BY subject, client`,
  detailsSql: 'SELECT *, batch AS since FROM check_found',
  describe: ({ client, damage, isLatest }) =>
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
