import { countOf, formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { timeInWords } from '../phrases.ts';

type Row = { name: string; entries: number; instant: number; previous_entries: number; previous: number };

export const halvedSnapshot = defineCheck<Row>({
  kind: 'halved-snapshot',
  findingsSql: `
    SELECT client, NULL AS materials FROM check_latest
    WHERE previous_state = 'loaded' AND entries * 2 < previous_entries ORDER BY id, client`,
  detailsSql: `
    SELECT check_latest.*, NULL AS materials, id AS subject, instant AS since
    FROM check_found JOIN check_latest USING (client)`,
  describe: ({ name, entries, instant, previous_entries, previous }) => ({
    detail: `Has ${countOf(entries, 'entry', 'entries')} (${timeInWords(instant)}), but the previous batch had ${formatCount(previous_entries)} (${timeInWords(previous)}).`,
    advice: `Ask ${name} whether it sent all materials.`,
  }),
});
