import type { DatabaseSync } from 'node:sqlite';
import type { Estimate } from '../../stock/queries/estimate-older.ts';
import { findKnownSince } from '../../stock/queries/known-since.ts';
import { formatTime } from '../../text/time.ts';
import { countOf } from '../../text/words.ts';

/** If the service has older batches than the stock, says from which time on the output has them. */
export const describeKnownSince = (db: DatabaseSync, clients: readonly string[]): string[] => {
  const since = findKnownSince(db, clients);
  if (!since) return [];
  return [`From batches since ${formatTime(new Date(since))} UTC. --history 1y reads further back.`];
};

export const describeOlder = ({ batches, dollars, minutes }: Estimate): string => {
  const count = countOf(batches, 'batch', 'batches');
  const price = dollars < 0.01 ? 'less than $0.01' : `$${dollars.toFixed(2)}`;
  const time = minutes < 1 ? 'less than a minute' : countOf(Math.ceil(minutes), 'minute');
  return `Reading older batches: about ${count}, ${price}, ${time}. If you end it early, the next run goes on.`;
};
