import { formatTime } from '../../../text/time.ts';
import { countOf, formatNumber } from '../../../text/words.ts';
import { timeOf } from '../../queries/columns.ts';
import { defineKind } from '../parts/define-kind.ts';

type Data = { lastBatchAt: string; batchesADay: number | null; hours: number };

/** Fewer batches do not tell what is usual. */
const MIN_BATCHES = 10;

const dayOf = (id: string) => `substr(${id}, 1, 10)`;

/** The median number of batches a day, of the 30 days before the last batch. Null if it is 0. Days before the first batch do not count. */
const BATCHES_A_DAY = `(
  SELECT batches FROM (
    SELECT count(*) AS batches, row_number() OVER (ORDER BY count(*) DESC) AS place, sum(count(*)) OVER () AS total,
      julianday(${dayOf('found.id')}) - julianday(min(${dayOf('id')}) OVER ()) + 1 AS days
    FROM main.batch WHERE client = found.client AND id <= found.id AND id > date(${dayOf('found.id')}, '-30 days')
    GROUP BY ${dayOf('id')}
  ) WHERE total >= ${MIN_BATCHES} AND place = CAST(days / 2 AS INTEGER) + 1
)`;

/** A warehouse that has sent nothing for longer than its hours of silence. The watch has the same rule. */
export const late = defineKind<Data>({
  kind: 'late',
  name: 'late',
  severity: 'error',
  title: 'warehouses that have sent no further batch in time',
  checks: [
    {
      found: `
        SELECT client, client AS subject, NULL AS materials, id, late_from, silence_hours
        FROM check_batch WHERE is_late AND id IS NOT NULL`,
      since: `strftime('%Y-%m-%dT%H:%M:%fZ', found.late_from / 1000.0, 'unixepoch')`,
      batch: 'found.id',
      data: { lastBatchAt: timeOf('found.id'), batchesADay: BATCHES_A_DAY, hours: 'found.silence_hours' },
    },
  ],
  write: ({ client, lastBatchAt, batchesADay, hours }) => ({
    detail: `No batch since ${formatTime(new Date(lastBatchAt))}${batchesADay === null ? '' : `, usually ${timesOf(formatNumber(batchesADay))} a day`}.`,
    advice: `Ask ${client} whether its system still sends. It is late after ${countOf(hours, 'hour')}.`,
  }),
});

export const timesOf = (count: string) => ({ 1: 'once', 2: 'twice' })[count] ?? `${count} times`;
