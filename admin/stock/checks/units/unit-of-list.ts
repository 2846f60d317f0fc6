import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';

/** A balance whose unit differs from the unit in the list. */
export const unitOfList = defineCheck<{ unit: string; attribute: string; listed: string }>({
  kind: 'unit-differs',
  findingsSql: `
    SELECT b.client, json_array(b.material) AS materials, b.material AS subject
    FROM check_present AS b JOIN check_listed AS listed USING (material)
    WHERE listed.attribute IS NOT NULL AND listed.unit <> b.unit ORDER BY b.material, b.client`,
  detailsSql: `
    SELECT found.*, ${firstBatchOf('earlier.unit = b.unit')} AS since, latest.id AS batch,
      b.unit, listed.attribute, listed.unit AS listed
    FROM check_found AS found
    JOIN check_present AS b ON b.client = found.client AND b.material = found.subject
    JOIN check_latest AS latest ON latest.client = found.client
    JOIN check_listed AS listed ON listed.material = found.subject`,
  describe: ({ unit, attribute, listed }) => ({
    detail: `Has the unit "${unit}", but ${attribute} is "${listed}" in the list.`,
    advice: 'Correct the wrong unit.',
  }),
});
