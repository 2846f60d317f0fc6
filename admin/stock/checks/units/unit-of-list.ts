import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';

/** A balance whose unit differs from the unit in the list. */
export const unitOfList = defineCheck<{ unit: string; attribute: string; listed: string }>({
  kind: 'unit-differs',
  findingsSql: `
    SELECT b.client, b.material AS materials FROM check_present AS b CROSS JOIN check_listed AS listed USING (material)
    WHERE EXISTS (SELECT 1 FROM check_listed WHERE attribute IS NOT NULL)
    AND listed.attribute IS NOT NULL AND listed.unit <> b.unit
    ORDER BY b.material, b.client`,
  detailsSql: `
    SELECT found.*, material.name AS subject, ${firstBatchOf('earlier.unit = b.unit')} AS since, latest.instant,
      unit.name AS unit, listed.attribute, listed.unit_name AS listed
    FROM check_found AS found
    JOIN check_of_material AS b ON b.client = found.client AND b.material = found.materials
    JOIN check_latest AS latest ON latest.client = found.client
    JOIN check_listed AS listed ON listed.material = found.materials
    JOIN main.material ON material.id = found.materials
    JOIN main.unit ON unit.id = b.unit`,
  describe: ({ unit, attribute, listed }) => ({
    detail: `Has the unit "${unit}", but ${attribute} is "${listed}" in the list.`,
    advice: 'Correct the wrong unit.',
  }),
});
