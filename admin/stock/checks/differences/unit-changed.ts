import { defineCheck } from '../check.ts';
import { type Difference, describeDifference, groupEqual, WITH_VALUES } from './equal-differences.ts';

export const unitChanged = defineCheck<Difference>({
  kind: 'unit-differs',
  findingsSql: groupEqual(
    `SELECT client, material, previous_unit || ' ' || unit AS group_key FROM check_differs WHERE unit <> previous_unit`,
  ),
  detailsSql: WITH_VALUES,
  describe: (row) =>
    describeDifference(
      row,
      `Changed from "${row.previous_unit}" to "${row.unit}"`,
      'it also converted the balance',
    ),
});
