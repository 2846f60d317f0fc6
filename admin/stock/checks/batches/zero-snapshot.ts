import { countOf, formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { timeInWords } from '../phrases.ts';

type Row = { name: string; entries: number; instant: number; previous: number; non_zero: number };

/** Ignores a batch with only one entry, because one balance of 0 is not suspicious. */
export const zeroSnapshot = defineCheck<Row>({
  kind: 'zero-snapshot',
  findingsSql: `
    SELECT latest.client, NULL AS materials, non_zero FROM (
      SELECT *, (
        SELECT count(*) FROM main.balance AS b WHERE b.client = c.client AND b.superseded > c.previous
        AND b.begun <= c.previous AND b.ended > c.previous AND b.value <> 0
      ) AS non_zero
      FROM check_latest AS c WHERE previous_state = 'loaded' AND entries > 1
      AND NOT EXISTS (SELECT 1 FROM check_present AS b WHERE b.client = c.client AND b.value <> 0)
    ) AS latest
    WHERE non_zero > 0 ORDER BY id, latest.client`,
  detailsSql: `
    SELECT check_latest.*, NULL AS materials, id AS subject, instant AS since, non_zero
    FROM check_found JOIN check_latest USING (client)`,
  describe: ({ name, entries, instant, previous, non_zero }) => ({
    detail: `Has 0 for all ${formatCount(entries)} materials (${timeInWords(instant)}), but the previous batch had ${countOf(non_zero, 'balance')} other than 0 (${timeInWords(previous)}).`,
    advice: `Ask ${name} whether its stock is empty.`,
  }),
});
