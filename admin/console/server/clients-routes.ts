import { Hono } from 'hono';
import * as v from 'valibot';
import { CLIENT_NAME, USER_NAME } from '../../../shared/clients/client.ts';
import { generatePassword } from '../../../shared/clients/password.ts';
import type { StoredClient } from '../../../shared/clients/write-client.ts';
import { MAX_SILENCE_HOURS } from '../../../shared/limits.ts';
import { type ClientChange, lock, remove, rotate, unlock } from '../../clients/changes.ts';
import { readClientTable } from '../../clients/client-table.ts';
import { planAdditions, prepareSetting } from '../../clients/prepare-changes.ts';
import { noticesOf } from '../../clients/slots.ts';
import { findClient, writeChange } from '../../clients/write-change.ts';
import type { Session } from '../../deployment/session.ts';
import type { Changed, ClientAdvice } from '../api.ts';
import { inConsoleWords } from './console-words.ts';

const Hours = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SILENCE_HOURS));
const values = {
  userName: v.optional(v.pipe(v.string(), v.regex(USER_NAME))),
  plan: v.optional(v.string()),
  silenceHours: v.optional(Hours),
  share: v.optional(v.boolean()),
};
const confirmed = v.optional(v.boolean());

const Addition = v.strictObject({ name: v.pipe(v.string(), v.regex(CLIENT_NAME)), ...values });
export type Addition = v.InferOutput<typeof Addition>;

const Action = v.variant('action', [
  v.strictObject({ action: v.literal('rotate'), overlapHours: Hours, isAgain: v.boolean(), confirmed }),
  v.strictObject({ action: v.literal('lock') }),
  v.strictObject({ action: v.literal('unlock') }),
  v.strictObject({ action: v.literal('set'), ...values }),
  v.strictObject({ action: v.literal('remove'), confirmed }),
]);
export type Action = v.InferOutput<typeof Action>;

/** The same changes as by the commands. */
export const clientsRoutes = (session: Session) => {
  const { plans, baseUrl } = session.deployment;
  const atNow = (): Session => ({ ...session, now: new Date() });

  const write = async (change: ClientChange, before: StoredClient | undefined): Promise<Changed> => {
    const { client, message } = await writeChange(session, change, before);
    const { password } = change;
    return {
      message: inConsoleWords(message),
      ...(password ? { access: { userName: client.UserName, password, baseUrl } } : {}),
    };
  };

  return new Hono()
    .get('/', async (context) => {
      const { active, damaged } = await readClientTable(session);
      const notices = noticesOf(active, damaged, plans).map(inConsoleWords);
      return context.json<ClientAdvice>({ notices, plans: plans.map(({ name }) => name) });
    })
    .post('/', async (context) => {
      const { name, ...more } = v.parse(Addition, await context.req.json());
      const [addition] = await planAdditions(atNow(), { names: [name], ...more });
      if (!addition) throw new Error('There is nothing to add.');
      return context.json<Changed>(await write(addition, addition.before));
    })
    .post('/:name', async (context) => {
      const action = v.parse(Action, await context.req.json());
      const before = await findClient(session, context.req.param('name'));
      const change = await plan(atNow(), before, action);
      const isConfirmed = 'confirmed' in action && action.confirmed;
      if (change.question && !isConfirmed)
        return context.json<Changed>({ question: inConsoleWords(change.question) });
      return context.json<Changed>(await write(change, before));
    });
};

const plan = (
  session: Session,
  { client }: StoredClient,
  given: Action,
): ClientChange | Promise<ClientChange> => {
  const { now } = session;
  switch (given.action) {
    case 'rotate':
      return rotate(client, { ...given, password: generatePassword() }, now);
    case 'lock':
      return lock(client, now);
    case 'unlock':
      return unlock(client, now);
    case 'set':
      return prepareSetting(session, client, given);
    case 'remove':
      return remove(client, now);
  }
};
