import { formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { type Difference, describeDifference, groupEqual, WITH_VALUES } from './equal-differences.ts';

/** A balance may really go from 1 to 10. So a finding needs a balance of at least so many significant digits, or at least so many balances with the same factor. */
const MIN_DIGITS = 3;
const MIN_BALANCES = 3;

export const powerOfTen = defineCheck<Difference & { group_key: number }>({
  kind: 'power-of-ten',
  findingsSql: groupEqual(`
    SELECT client, material, group_key FROM (
      SELECT client, material, mantissa, exponent - previous_exponent AS group_key,
        count(*) OVER (PARTITION BY client, exponent - previous_exponent) AS moved
      FROM check_differs
      WHERE unit = previous_unit AND mantissa = previous_mantissa AND mantissa <> 0 AND exponent <> previous_exponent
    ) WHERE abs(mantissa) >= 1e${MIN_DIGITS - 1} OR moved >= ${MIN_BALANCES}`),
  detailsSql: WITH_VALUES,
  describe: (row) => {
    const factor = formatCount(10 ** Math.abs(row.group_key));
    const differenceInWords = `${row.group_key > 0 ? 'Multiplied' : 'Divided'} by ${factor}`;
    return describeDifference(row, differenceInWords, 'its decimal separator or its unit changed');
  },
});
