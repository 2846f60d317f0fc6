import { defineCheck } from '../check.ts';

type Row = { name: string; damage: string; isLatest: number };

/** No check uses the batch before a damaged one instead, because people would take that older batch for the latest. */
export const damagedSnapshot = defineCheck<Row>({
  kind: 'damaged-snapshot',
  findingsSql: `
    SELECT client, NULL AS materials, name, id AS subject, position, damage, TRUE AS isLatest
    FROM check_batch WHERE state = 'damaged'
    UNION ALL
    SELECT client, NULL, name, previous_id, previous, previous_damage, FALSE
    FROM check_loaded WHERE previous_state = 'damaged'
    ORDER BY subject, client`,
  wordsSql: 'SELECT *, position AS since FROM check_found',
  toWords: ({ name, damage, isLatest }) =>
    isLatest
      ? {
          detail: `${damage} This check left the batch out.`,
          advice: `The next batch of ${name} replaces it.`,
        }
      : {
          detail: `${damage} So the latest batch was not compared with this one.`,
          advice: `The check no longer needs it after the next batch of ${name}.`,
        },
});
