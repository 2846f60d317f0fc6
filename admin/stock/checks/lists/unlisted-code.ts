import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';
import { describeLikeness } from '../likeness/likeness.ts';
import { fillMeantCodes } from '../likeness/meant-code.ts';

type Row = { subject: string; original: string | null; meant: string | null };

export const unlistedCode = defineCheck<Row>({
  kind: 'unlisted-code',
  findingsSql: `
    SELECT client, json_array(material) AS materials, material FROM check_present
    WHERE material NOT IN (SELECT material FROM check_listed) ORDER BY material, client`,
  prepare: fillMeantCodes,
  detailsSql: `
    SELECT found.*, found.material AS subject, ${firstBatchOf()} AS since, latest.id AS batch, alike.original, meant.meant
    FROM check_found AS found
    JOIN check_present AS b ON b.client = found.client AND b.material = found.material
    JOIN check_latest AS latest ON latest.client = found.client
    LEFT JOIN check_alike AS alike
    ON alike.material = found.material AND alike.original IN (SELECT material FROM check_listed)
    LEFT JOIN check_meant AS meant ON meant.material = found.material`,
  describe: ({ subject: code, original, meant }) => {
    const detail = 'Has a balance, but is not in the list.';
    if (original !== null) {
      const likeness = describeLikeness(code, original, 'in the list');
      return { detail: `${detail} It ${likeness}.`, advice: 'Correct the wrong code.' };
    }
    const suggestion = meant === null ? '' : `Did you mean ${meant}? `;
    return {
      detail,
      advice: `${suggestion}Add ${code} to the list, or correct it in the warehouse system.`,
    };
  },
});
