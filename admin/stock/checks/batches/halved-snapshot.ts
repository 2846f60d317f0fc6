import { countOf, formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { timeInWords } from '../phrases.ts';

type Row = { client: string; entries: number; id: string; previous_entries: number; previous: string };

export const halvedSnapshot = defineCheck<Row>({
  kind: 'halved-snapshot',
  findingsSql: `
    SELECT client, NULL AS materials FROM check_latest
    WHERE previous_state = 'loaded' AND entries * 2 < previous_entries ORDER BY id, client`,
  detailsSql: `
    SELECT check_latest.*, NULL AS materials, id AS subject, id AS since, id AS batch
    FROM check_found JOIN check_latest USING (client)`,
  describe: ({ client, entries, id, previous_entries, previous }) => ({
    detail: `Has ${countOf(entries, 'entry', 'entries')} (${timeInWords(id)}), but the previous batch had ${formatCount(previous_entries)} (${timeInWords(previous)}).`,
    advice: `Ask ${client} whether it sent all materials.`,
  }),
});
