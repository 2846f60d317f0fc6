import { defineKind } from '../parts/define-kind.ts';
import { type Difference, findDifferences, writeDifference } from '../parts/equal-differences.ts';

/** Both balances must be at least this share of the material's greatest balance in the unit. Smaller balances are noise. */
const MIN_SHARE = 0.1;

/** For a query with `check_differs AS c` and `latest`. */
const isFarFromZero = (value: string, unit: string) => `NOT EXISTS (
  SELECT 1 FROM period AS sent WHERE sent.client = c.client AND sent.material = c.material AND sent.unit = ${unit}
  AND sent.begun <= latest.id AND ${MIN_SHARE} * abs(sent.value) > abs(${value})
)`;

export const signFlipped = defineKind<Difference>({
  kind: 'sign-flipped',
  name: 'the sign changed',
  severity: 'warning',
  title: 'balances that changed from positive to negative, or from negative to positive',
  checks: [
    findDifferences(`
      SELECT c.client, c.material, sign(c.value) AS group_key
      FROM check_differs AS c JOIN check_latest AS latest USING (client)
      WHERE sign(c.value) * sign(c.previous_value) = -1
      AND ${isFarFromZero('c.value', 'c.unit')} AND ${isFarFromZero('c.previous_value', 'c.previous_unit')}`),
  ],
  write: (finding) => {
    const signs = finding.value < 0 ? 'positive to negative' : 'negative to positive';
    return writeDifference(finding, `Turned from ${signs}`, 'the new sign is right');
  },
});
