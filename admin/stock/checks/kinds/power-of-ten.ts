import { formatNumber } from '../../../text/words.ts';
import { defineKind } from '../parts/define-kind.ts';
import { type Difference, findDifferences, writeDifference } from '../parts/equal-differences.ts';

/** A balance may really go from 1 to 10. So a finding needs a balance of at least so many significant digits, or at least so many balances with the same factor. */
const MIN_DIGITS = 3;
const MIN_BALANCES = 3;

/** The digits of a value without zeros at its end, and how many places its point has moved. */
const digitsOf = (value: string) =>
  `rtrim(replace(substr(format('%.14e', abs(${value})), 1, 16), '.', ''), '0')`;
const PLACES = 'CAST(round(log10(value / previous_value)) AS INTEGER)';

export const powerOfTen = defineKind<Difference & { places: number }>({
  kind: 'power-of-ten',
  name: 'the decimal point moved',
  severity: 'error',
  title: 'balances with the same digits as before, but the decimal point in another place',
  checks: [
    findDifferences(
      `SELECT client, material, group_key FROM (
        SELECT client, material, digits, group_key, count(*) OVER (PARTITION BY client, group_key) AS moved FROM (
          SELECT client, material, ${digitsOf('value')} AS digits, ${PLACES} AS group_key FROM check_differs
          WHERE unit = previous_unit AND value * previous_value > 0 AND ${digitsOf('value')} = ${digitsOf('previous_value')}
        ) WHERE group_key <> 0
      ) WHERE length(digits) >= ${MIN_DIGITS} OR moved >= ${MIN_BALANCES}`,
      { places: 'group_key' },
    ),
  ],
  write: (finding) => {
    const factor = formatNumber(10 ** Math.abs(finding.places));
    const difference = `${finding.places > 0 ? 'Multiplied' : 'Divided'} by ${factor}`;
    return writeDifference(finding, difference, 'its decimal separator or its unit changed');
  },
});
