import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';
import { describeLikeness } from '../likeness/likeness.ts';
import { fillMeantCodes } from '../likeness/meant-code.ts';

type Row = { subject: string; original: string | null; meant: string | null };

export const unlistedCode = defineCheck<Row>({
  kind: 'unlisted-code',
  findingsSql: `
    SELECT client, material AS materials FROM check_present
    WHERE EXISTS (SELECT 1 FROM check_known WHERE material NOT IN (SELECT material FROM check_listed))
    AND material NOT IN (SELECT material FROM check_listed)
    ORDER BY material, client`,
  prepare: fillMeantCodes,
  detailsSql: `
    SELECT found.*, code.name AS subject, ${firstBatchOf()} AS since, latest.instant, original.name AS original, meant.meant
    FROM check_found AS found
    JOIN check_of_material AS b ON b.client = found.client AND b.material = found.materials
    JOIN check_latest AS latest ON latest.client = found.client
    JOIN main.material AS code ON code.id = found.materials
    LEFT JOIN check_alike AS alike
    ON alike.material = found.materials AND alike.original IN (SELECT material FROM check_listed)
    LEFT JOIN main.material AS original ON original.id = alike.original
    LEFT JOIN check_meant AS meant ON meant.material = found.materials`,
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
