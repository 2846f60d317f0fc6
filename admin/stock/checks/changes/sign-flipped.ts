import { defineCheck } from '../check.ts';
import { type ChangeRow, describeChange, groupEqual, WITH_VALUES } from './equal-changes.ts';

/** Both balances must be at least this share of the greatest one that the material had in the unit. Smaller ones are noise around zero. */
const MIN_SHARE = 0.1;

const isFarFromZero = (value: string, unit: string) => `abs(${value}) >= ${MIN_SHARE} * (
  SELECT max(abs(b.value)) FROM main.balance AS b
  WHERE b.client = c.client AND b.material = c.material AND b.since <= latest.position AND b.unit = ${unit}
)`;

export const signFlipped = defineCheck<ChangeRow & { way: number }>({
  kind: 'sign-flipped',
  findingsSql: groupEqual(`
    SELECT c.client, c.material, sign(c.value) AS way
    FROM check_change AS c JOIN check_latest AS latest USING (client)
    WHERE sign(c.value) * sign(c.old_value) = -1
    AND ${isFarFromZero('c.value', 'c.unit')} AND ${isFarFromZero('c.old_value', 'c.old_unit')}`),
  wordsSql: WITH_VALUES,
  toWords: (row) =>
    describeChange(
      row,
      `Turned from ${row.way < 0 ? 'positive to negative' : 'negative to positive'}`,
      'the new sign is right',
    ),
});
