import { formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { type ChangeRow, describeChange, groupEqual, WITH_VALUES } from './equal-changes.ts';

/** From 1 to 10 pieces may be right. With so many digits, or with so many balances of the same factor, it is an error. */
const MIN_DIGITS = 3;
const MIN_BALANCES = 3;

export const powerOfTen = defineCheck<ChangeRow & { way: number }>({
  kind: 'power-of-ten',
  findingsSql: groupEqual(`
    SELECT client, material, way FROM (
      SELECT client, material, mantissa, exponent - old_exponent AS way,
        count(*) OVER (PARTITION BY client, exponent - old_exponent) AS moved
      FROM check_change
      WHERE unit = old_unit AND mantissa = old_mantissa AND mantissa <> 0 AND exponent <> old_exponent
    ) WHERE abs(mantissa) >= 1e${MIN_DIGITS - 1} OR moved >= ${MIN_BALANCES}`),
  wordsSql: WITH_VALUES,
  toWords: (row) => {
    const factor = formatCount(10 ** Math.abs(row.way));
    const changeInWords = `${row.way > 0 ? 'Multiplied' : 'Divided'} by ${factor}`;
    return describeChange(row, changeInWords, 'its decimal separator or its unit changed');
  },
});
