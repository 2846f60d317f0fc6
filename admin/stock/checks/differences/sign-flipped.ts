import { defineCheck } from '../check.ts';
import { type Difference, describeDifference, groupEqual, WITH_VALUES } from './equal-differences.ts';

/** Both balances must be at least this share of the material's greatest balance in the unit. Smaller balances are noise. */
const MIN_SHARE = 0.1;

/** For a query with `check_differs AS c`. */
const isFarFromZero = (value: string, unit: string) => `abs(${value}) >= ${MIN_SHARE} * (
  SELECT max(abs(b.value)) FROM check_period AS b
  WHERE b.client = c.client AND b.material = c.material AND b.unit = ${unit}
)`;

export const signFlipped = defineCheck<Difference & { group_key: number }>({
  kind: 'sign-flipped',
  findingsSql: groupEqual(`
    SELECT c.client, c.material, sign(c.value) AS group_key
    FROM check_differs AS c
    WHERE sign(c.value) * sign(c.previous_value) = -1
    AND ${isFarFromZero('c.value', 'c.unit')} AND ${isFarFromZero('c.previous_value', 'c.previous_unit')}`),
  detailsSql: WITH_VALUES,
  describe: (row) =>
    describeDifference(
      row,
      `Turned from ${row.group_key < 0 ? 'positive to negative' : 'negative to positive'}`,
      'the new sign is right',
    ),
});
