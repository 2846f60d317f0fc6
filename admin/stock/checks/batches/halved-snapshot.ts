import { countOf, formatCount } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { toTime } from '../phrases.ts';

type Row = { name: string; entries: number; position: number; previous_entries: number; previous: number };

export const halvedSnapshot = defineCheck<Row>({
  kind: 'halved-snapshot',
  found: `
    SELECT client, NULL AS materials FROM check_latest
    WHERE previous_state = 'loaded' AND entries * 2 < previous_entries ORDER BY id, client`,
  shown: `
    SELECT check_latest.*, NULL AS materials, id AS subject, position AS since
    FROM check_found JOIN check_latest USING (client)`,
  toWords: ({ name, entries, position, previous_entries, previous }) => ({
    detail: `Has ${countOf(entries, 'entry', 'entries')} (${toTime(position)}), but the previous batch had ${formatCount(previous_entries)} (${toTime(previous)}).`,
    advice: `Ask ${name} whether it sent all materials.`,
  }),
});
