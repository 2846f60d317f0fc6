import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import type { Session } from '../../deployment/session.ts';
import { explain } from '../../text/failure.ts';
import { Time } from '../../told/mark.ts';
import { readMeta, refusalFailure, writeMeta } from '../database/meta.ts';
import { changeStock, inTransaction } from '../database/open-stock.ts';

/** A line reaches the log some time after its own time. */
const OVERLAP_MS = 5 * MINUTE_MS;

const Refusal = v.pipe(
  v.string(),
  v.includes('"request-refused"'),
  v.parseJson(),
  v.object({
    code: v.literal('request-refused'),
    client: v.string(),
    timestamp: Time,
    requestId: v.string(),
    rule: v.pipe(v.string(), v.regex(/^[\w[\]: -]{1,100}$/)),
  }),
);

/** Copies the refused requests of the last day from the logs. Nothing else depends on them, so an error only becomes a sentence for people. */
export const createRefusalLoader = (db: DatabaseSync) => {
  const forget = db.prepare('DELETE FROM refusal WHERE at < ?');
  const insert = db.prepare('INSERT OR IGNORE INTO refusal VALUES (?, ?, ?, ?)');

  const readNew = async ({ deployment, now }: Session) => {
    const dayAgo = now.getTime() - DAY_MS;
    const readAt = Math.min(readMeta<number>(db, 'refusals_read_at') ?? 0, now.getTime());
    const since = new Date(Math.max(dayAgo, readAt - OVERLAP_MS));
    changeStock(db, () => forget.run(new Date(dayAgo).toISOString()));
    const lines = await Array.fromAsync(deployment.refusalLog(since), (line) => v.safeParse(Refusal, line));
    changeStock(db, () => {
      for (const { success, output } of lines) {
        if (!success || output.timestamp < since.toISOString()) continue;
        insert.run(output.client, output.timestamp, output.requestId, output.rule);
      }
    });
    inTransaction(db, () => writeMeta(db, 'refusals_read_at', now.getTime()));
  };

  return async (session: Session) => {
    const failure = await readNew(session).then(() => '', explain);
    if (failure !== refusalFailure(db)) changeStock(db, () => writeMeta(db, 'refusal_failure', failure));
  };
};
