import { Hono } from 'hono';
import * as v from 'valibot';
import { CLIENT_NAME } from '../../../shared/clients/client.ts';
import type { Snapshot } from '../../../shared/storage/snapshot.ts';
import { Failure } from '../../cli/failure.ts';
import { type Session, snapshotsOf } from '../../deployment/session.ts';
import { findSnapshot } from '../../snapshots/find-snapshot.ts';
import type { Batch } from '../api.ts';

export const Client = v.pipe(v.string(), v.regex(CLIENT_NAME, 'There is no such client.'));
const Which = v.object({ client: Client, id: v.pipe(v.string(), v.maxLength(100)) });

export const batchesRoutes = (session: Session) =>
  new Hono().get('/:client/:id', async (context) => {
    const { receivedAt, ...batch } = await readBatch(session, context.req.param());
    return context.json({ ...batch, receivedAt: receivedAt.getTime() } satisfies Batch);
  });

export const readBatch = async (session: Session, which: unknown): Promise<Snapshot> => {
  const { client, id } = v.parse(Which, which);
  const now = new Date();
  if (id === 'latest') return findSnapshot({ ...session, now }, id, { client });
  const found = await snapshotsOf({ ...session, now }).read(client, id);
  if (found) return found;
  throw new Failure(
    `There is no batch ${id} of ${client}. It may have expired, or the address may be mistyped.`,
  );
};
