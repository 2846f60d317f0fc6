import { countOf, formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { timeInWords } from '../phrases.ts';

type Row = { client: string; entries: number; id: string; previous: string; non_zero: number };

/** Ignores a batch with only one entry, because one balance of 0 is not suspicious. */
export const zeroSnapshot = defineCheck<Row>({
  kind: 'zero-snapshot',
  findingsSql: `
    SELECT latest.client, NULL AS materials, non_zero FROM (
      SELECT *, (
        SELECT count(*) FROM check_period AS b WHERE b.client = c.client AND b.begun <= c.previous
        AND ifnull(b.ended > c.previous, TRUE) AND b.value <> 0
      ) AS non_zero
      FROM check_latest AS c WHERE previous_state = 'loaded' AND entries > 1
      AND NOT EXISTS (SELECT 1 FROM check_present AS b WHERE b.client = c.client AND b.value <> 0)
    ) AS latest
    WHERE non_zero > 0 ORDER BY id, latest.client`,
  detailsSql: `
    SELECT check_latest.*, NULL AS materials, id AS subject, id AS since, id AS batch, non_zero
    FROM check_found JOIN check_latest USING (client)`,
  describe: ({ client, entries, id, previous, non_zero }) => ({
    detail: `Has 0 for all ${formatCount(entries)} materials (${timeInWords(id)}), but the previous batch had ${countOf(non_zero, 'balance')} other than 0 (${timeInWords(previous)}).`,
    advice: `Ask ${client} whether its stock is empty.`,
  }),
});
