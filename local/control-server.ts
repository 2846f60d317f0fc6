import * as v from 'valibot';
import { LOOPBACK } from '../shared/loopback.ts';
import { ChangedPassword } from './clients/passwords.ts';
import { Disturbance, type Disturbances, LambdaThrottle } from './disturbances.ts';
import { bodyOf, openServer, type Reply } from './http.ts';
import type { Outcome } from './lambda/function-instance.ts';
import type { Permissions } from './services/permissions.ts';
import { jsonReply } from './services/proxy.ts';

/** `clients` is for the table Clients alone: clients can sign in while the other tables have faults. */
const RequestedDisturbances = v.strictObject({
  clients: v.optional(v.array(Disturbance)),
  dynamodb: v.optional(v.array(Disturbance)),
  lambda: v.optional(v.array(LambdaThrottle)),
});
export type RequestedDisturbances = v.InferOutput<typeof RequestedDisturbances>;

const WatchEvent = v.strictObject({ time: v.optional(v.pipe(v.string(), v.isoTimestamp())) });

type Controlled = {
  permissions: Permissions;
  disturbances: Record<'clients' | 'dynamodb', Disturbances<Disturbance>> & {
    lambda: Disturbances<LambdaThrottle>;
  };
  changePassword: (change: ChangedPassword) => void;
  runWatch: (time: string) => Promise<Outcome[]>;
};

type Act = (body: string) => Reply | Promise<Reply>;

const withBody =
  <T>(schema: v.GenericSchema<unknown, T>, act: (input: T) => Reply | Promise<Reply>): Act =>
  (body) => {
    const { success, output, issues } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body || '{}');
    return success ? act(output) : jsonReply(400, { message: v.summarize(issues) });
  };

/** Its requests are in docs/local.md. */
export const openControlServer = (controlled: Controlled) => {
  const { permissions, disturbances, changePassword, runWatch } = controlled;
  const { clients, dynamodb, lambda } = disturbances;
  const showDisturbances = () =>
    jsonReply(200, { clients: clients.counted, dynamodb: dynamodb.counted, lambda: lambda.counted });
  const actions: Record<string, Act> = {
    'GET /permissions': () => jsonReply(200, { granted: permissions.granted, unused: permissions.unused() }),
    'GET /disturbances': showDisturbances,
    'POST /disturbances': withBody(RequestedDisturbances, (requested) => {
      clients.replace(requested.clients);
      dynamodb.replace(requested.dynamodb);
      lambda.replace(requested.lambda);
      return showDisturbances();
    }),
    'POST /passwords': withBody(ChangedPassword, (change) => {
      changePassword(change);
      return jsonReply(200, {});
    }),
    'POST /watch': withBody(WatchEvent, async ({ time = new Date().toISOString() }) => {
      const failed = (await runWatch(time)).find((outcome) => 'error' in outcome);
      return failed ? jsonReply(502, { message: failed.error.errorMessage }) : jsonReply(200, { time });
    }),
  };
  return openServer(async (incoming) => {
    const action = actions[`${incoming.method} ${incoming.url}`];
    const { method, headers } = incoming;
    // A web page of another origin needs a preflight request for this content type, which gets a 404. It may also make its own
    // host an address of this machine.
    const isAllowed =
      (method === 'GET' || headers['content-type'] === 'application/json') &&
      headers.host?.startsWith(`${LOOPBACK}:`);
    if (!action || !isAllowed) return jsonReply(404, { message: 'Not found' });
    try {
      return await action(String(await bodyOf(incoming)));
    } catch (error) {
      return jsonReply(500, { message: error instanceof Error ? error.message : String(error) });
    }
  });
};
