import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import { millisecondsOf } from './columns.ts';

export type Estimate = { batches: number; dollars: number; minutes: number };

/** Measured by `npm run costs -- --first-read 31`, with batches of 200 entries. */
const BYTES_PER_ENTRY = { stored: 77, sent: 120 };
/** Half of what the processor reads, because the network may be slower. */
const ENTRIES_PER_SECOND = 60_000;
/** Of a table of the class Standard-IA in eu-central-1, and of data to the internet. docs/costs.md has the sources. */
export const DOLLARS = { readUnit: 0.1905e-6, sentGb: 0.09 };
/** A read that is not consistent. */
const BYTES_PER_READ_UNIT = 8_192;
const GB = 1_024 ** 3;

type Rate = { knownSince: number; batches: number; entries: number; lifetime: number | null };

/** What it takes to read all batches of the clients back to a time, from the rate and the size of those that are known. Undefined if there are none to read. */
export const estimateOlder = (
  db: DatabaseSync,
  { clients, since, now }: { clients: readonly string[]; since: Date; now: Date },
): Estimate | undefined => {
  const rates = rowsOf<Rate>(
    db.prepare(`
      SELECT ${millisecondsOf('known_since')} AS knownSince, count(*) AS batches, sum(entries) AS entries,
        max(${millisecondsOf('expires_at')} - ${millisecondsOf('received_at')}) AS lifetime
      FROM client JOIN batch ON client = name
      WHERE name IN (SELECT value FROM json_each(?)) AND known_since > ? GROUP BY name`),
    JSON.stringify(clients),
    since.toISOString(),
  );
  const older = rates.map(({ knownSince, batches, entries, lifetime }) => {
    const from = Math.max(since.getTime(), lifetime === null ? 0 : now.getTime() - lifetime);
    const times = Math.max(0, knownSince - from) / (now.getTime() - knownSince);
    return { batches: times * batches, entries: times * entries };
  });
  const sumOf = (name: 'batches' | 'entries') => Math.round(older.reduce((sum, each) => sum + each[name], 0));
  const batches = sumOf('batches');
  if (batches === 0) return undefined;
  const { dollars, minutes } = priceOf(sumOf('entries'));
  return { batches, dollars, minutes };
};

export const priceOf = (entries: number) => {
  const readUnits = (entries * BYTES_PER_ENTRY.stored) / BYTES_PER_READ_UNIT;
  const sentGb = (entries * BYTES_PER_ENTRY.sent) / GB;
  const dollars = readUnits * DOLLARS.readUnit + sentGb * DOLLARS.sentGb;
  return { readUnits, sentGb, dollars, minutes: entries / ENTRIES_PER_SECOND / 60 };
};
