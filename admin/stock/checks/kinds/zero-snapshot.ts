import { formatTime } from '../../../text/time.ts';
import { countOf, formatNumber } from '../../../text/words.ts';
import { timeOf } from '../../queries/columns.ts';
import { defineKind } from '../parts/define-kind.ts';

type Data = { entries: number; at: string; nonZero: number; previousAt: string };

/** Ignores a batch with only one entry, because one balance of 0 is not suspicious. */
export const zeroSnapshot = defineKind<Data>({
  kind: 'zero-snapshot',
  name: 'all balances are 0',
  severity: 'error',
  title: 'latest batches whose balances are all 0, unlike in the previous batch',
  checks: [
    {
      found: `
        SELECT client, id AS subject, NULL AS materials, count(*) AS nonZero FROM (
          SELECT latest.client, latest.id FROM check_latest AS latest CROSS JOIN period AS sent USING (client)
          WHERE previous_state = 'loaded' AND entries > 1
          AND latest.client NOT IN (SELECT client FROM check_present WHERE value <> 0)
          AND sent.value <> 0 AND sent.begun <= latest.previous AND sent.ended > latest.previous
        ) GROUP BY client`,
      since: 'latest.id',
      data: {
        ...{ entries: 'latest.entries', at: timeOf('latest.id') },
        ...{ nonZero: 'nonZero', previousAt: timeOf('latest.previous') },
      },
    },
  ],
  write: ({ client, entries, at, nonZero, previousAt }) => ({
    detail: `Has 0 for all ${formatNumber(entries)} materials (${formatTime(new Date(at))}), but the previous batch had ${countOf(nonZero, 'balance')} other than 0 (${formatTime(new Date(previousAt))}).`,
    advice: `Ask ${client} whether its stock is empty.`,
  }),
});
