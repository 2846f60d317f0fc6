import { defineCheck } from '../check.ts';

type Row = { name: string; damage: string; isLatest: number };

/** The check does not use the batch before a damaged one, because people would take that for the latest. */
export const damagedSnapshot = defineCheck<Row>({
  kind: 'damaged-snapshot',
  findingsSql: `
    SELECT client, NULL AS materials, name, id AS subject, position, damage, TRUE AS isLatest
    FROM check_batch WHERE state = 'damaged'
    UNION ALL
    SELECT client, NULL, name, previous_id, previous, previous_damage, FALSE
    FROM check_latest WHERE previous_state = 'damaged'
    ORDER BY subject, client`,
  wordsSql: 'SELECT *, position AS since FROM check_found',
  toWords: ({ name, damage, isLatest }) =>
    isLatest
      ? {
          detail: `${damage} This check left it out.`,
          advice: `The next batch of ${name} replaces it.`,
        }
      : {
          detail: `${damage} So the latest batch was not compared with it.`,
          advice: `The check no longer needs it after the next batch of ${name}.`,
        },
});
