import { defineCheck } from '../check.ts';
import { differsOnlyInCase } from '../likeness/likeness.ts';
import { describeBatches, LATEST_BATCHES, type LatestBatches } from '../phrases.ts';

type Row = LatestBatches & { subject: string; alike: string | null };

/** Before a gap, a batch that is not loaded may have the material. */
const SINCE = `max(left_out, ifnull((SELECT max(earliest) FROM check_latest WHERE has_gap), left_out))`;

/** Without any batch, finds nothing, because `no-snapshot` already says so for all materials. */
export const noBalance = defineCheck<Row>({
  kind: 'no-balance',
  findingsSql: `
    SELECT NULL AS client, json_array(listed.material) AS materials, listed.material AS subject, left_out
    FROM check_listed AS listed LEFT JOIN check_known USING (material)
    WHERE ifnull(sender_count, 0) = 0 AND EXISTS (SELECT 1 FROM check_latest) ORDER BY listed.material`,
  detailsSql: `
    SELECT found.*, ${SINCE} AS since, NULL AS batch, ${LATEST_BATCHES}, (
      SELECT max(material) FROM check_alike
      WHERE original = found.subject AND material NOT IN (SELECT material FROM check_listed)
    ) AS alike
    FROM check_found AS found`,
  describe: (row) => ({
    detail: `Is in the list, but has no balance in ${describeBatches(row)}.`,
    advice:
      row.alike === null
        ? 'Remove it from the list if it is no longer used. Otherwise, have the warehouse system send its balance, even if the balance is 0.'
        : `${row.alike} has a balance and ${differsOnlyInCase(row.alike, row.subject) ? 'differs only in letter case' : 'looks the same'}. Correct the wrong code.`,
  }),
});
