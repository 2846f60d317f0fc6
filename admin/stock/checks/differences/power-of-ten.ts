import { formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { type Difference, describeDifference, groupEqual, WITH_VALUES } from './equal-differences.ts';

/** A balance may really go from 1 to 10. So a finding needs a balance of at least so many significant digits, or at least so many balances with the same factor. */
const MIN_DIGITS = 3;
const MIN_BALANCES = 3;

/** The digits of a value without zeros at its end, and how many places its point has moved. */
const digitsOf = (value: string) =>
  `rtrim(replace(substr(format('%.14e', abs(${value})), 1, 16), '.', ''), '0')`;
const PLACES = 'CAST(round(log10(value / previous_value)) AS INTEGER)';

export const powerOfTen = defineCheck<Difference & { group_key: number }>({
  kind: 'power-of-ten',
  findingsSql: groupEqual(`
    SELECT client, material, group_key FROM (
      SELECT client, material, digits, group_key, count(*) OVER (PARTITION BY client, group_key) AS moved FROM (
        SELECT client, material, ${digitsOf('value')} AS digits, ${PLACES} AS group_key FROM check_differs
        WHERE unit = previous_unit AND value * previous_value > 0 AND ${digitsOf('value')} = ${digitsOf('previous_value')}
      ) WHERE group_key <> 0
    ) WHERE length(digits) >= ${MIN_DIGITS} OR moved >= ${MIN_BALANCES}`),
  detailsSql: WITH_VALUES,
  describe: (row) => {
    const factor = formatCount(10 ** Math.abs(row.group_key));
    const differenceInWords = `${row.group_key > 0 ? 'Multiplied' : 'Divided'} by ${factor}`;
    return describeDifference(row, differenceInWords, 'its decimal separator or its unit changed');
  },
});
