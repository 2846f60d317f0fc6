import { type ChangeRow, describeChange, groupEqual, WITH_VALUES } from '../changes/equal-changes.ts';
import { defineCheck } from '../check.ts';

export const unitChanged = defineCheck<ChangeRow>({
  kind: 'unit-differs',
  findingsSql: groupEqual(
    `SELECT client, material, old_unit || ' ' || unit AS way FROM check_change WHERE unit <> old_unit`,
  ),
  wordsSql: WITH_VALUES,
  toWords: (row) =>
    describeChange(row, `Changed from "${row.old_unit}" to "${row.unit}"`, 'it also converted the balance'),
});
