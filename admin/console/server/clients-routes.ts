import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { type ClientActivity, readActivity } from '../../deployment/client-activity.ts';
import {
  type Client,
  changePassword,
  findClient,
  lossOfPrevious,
  newPassword,
  previousValidUntil,
  readClient,
} from '../../deployment/credentials.ts';
import type { DeployedClient } from '../../deployment/deployment.ts';
import type { Session } from '../../deployment/session.ts';
import type { ClientStatus, Rotated } from '../api.ts';

const Rotation = v.strictObject({ endsPrevious: v.optional(v.literal(true)) });
type Rotation = v.InferOutput<typeof Rotation>;

export const clientsRoutes = (session: Session) => {
  const { deployment } = session;
  let rotation: Promise<unknown> = Promise.resolve();

  /** Rotates one after another: two rotations at once would end each other's previous password. */
  const rotateNext = (name: string, options: Rotation) => {
    const rotated = rotation.then(() => rotate({ ...session, now: new Date() }, name, options));
    rotation = rotated.catch(() => {});
    return rotated;
  };

  return new Hono()
    .get('/', async (context) => {
      const current = { ...session, now: new Date() };
      return context.json(await Promise.all(deployment.clients.map((client) => readStatus(current, client))));
    })
    .post('/:name/rotate', async (context) => {
      const options = v.parse(Rotation, await context.req.json());
      return context.json(await rotateNext(context.req.param('name'), options));
    });
};

const readStatus = async (session: Session, client: DeployedClient): Promise<ClientStatus> => {
  const [withCredentials, activity] = await Promise.all([
    readClient(session.deployment, client),
    readActivity(session, client),
  ]);
  return toStatus(session, withCredentials, activity);
};

const toStatus = (
  session: Session,
  client: Client,
  { lastBatch, lastChange }: ClientActivity,
): ClientStatus => ({
  name: client.name,
  username: client.username,
  isDamaged: client.password === undefined,
  passwordChangedAt: client.changedAt.getTime(),
  previousValidUntil: previousValidUntil(session, client)?.getTime() ?? null,
  overlapHours: session.deployment.overlapHours,
  lastSnapshotAt: lastBatch?.receivedAt.getTime() ?? null,
  lastChangeAt: lastChange?.receivedAt ? Date.parse(lastChange.receivedAt) : null,
  silenceHours: client.silenceHours ?? null,
});

/** Reads nothing after the change, because a failed call would lose the new password. */
const rotate = async (session: Session, name: string, { endsPrevious }: Rotation): Promise<Rotated> => {
  const { deployment } = session;
  const deployed = findClient(deployment, name);
  const [client, activity] = await Promise.all([
    readClient(deployment, deployed),
    readActivity(session, deployed),
  ]);
  const validUntil = previousValidUntil(session, client);
  if (validUntil && !endsPrevious) throw new HTTPException(409, { message: lossOfPrevious(validUntil) });
  const password = newPassword();
  await changePassword(await deployment.secrets(), client.secret, client, password);
  const changed = { ...client, password, changedAt: new Date(), hasPrevious: true };
  return { password, client: toStatus(session, changed, activity) };
};
