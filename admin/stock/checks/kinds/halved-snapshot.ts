import { formatTime } from '../../../text/time.ts';
import { countOf, formatNumber } from '../../../text/words.ts';
import { timeOf } from '../../queries/columns.ts';
import { defineKind } from '../parts/define-kind.ts';

type Data = { entries: number; at: string; previousEntries: number; previousAt: string };

export const halvedSnapshot = defineKind<Data>({
  kind: 'halved-snapshot',
  name: 'half of the batch is missing',
  severity: 'error',
  title: 'latest batches with fewer than half of the entries of the previous batch',
  checks: [
    {
      found: `
        SELECT client, id AS subject, NULL AS materials FROM check_latest
        WHERE previous_state = 'loaded' AND entries * 2 < previous_entries`,
      since: 'latest.id',
      data: {
        ...{ entries: 'latest.entries', at: timeOf('latest.id') },
        ...{ previousEntries: 'latest.previous_entries', previousAt: timeOf('latest.previous') },
      },
    },
  ],
  write: ({ client, entries, at, previousEntries, previousAt }) => ({
    detail: `Has ${countOf(entries, 'entry', 'entries')} (${formatTime(new Date(at))}), but the previous batch had ${formatNumber(previousEntries)} (${formatTime(new Date(previousAt))}).`,
    advice: `Ask ${client} whether it sent all materials.`,
  }),
});
