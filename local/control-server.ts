import * as v from 'valibot';
import { LOOPBACK } from '../shared/loopback.ts';
import { ChangedPassword } from './clients/passwords.ts';
import { Fault, type Faults, LambdaThrottle } from './faults.ts';
import { type HttpResponse, openServer, readBody } from './http.ts';
import type { Outcome } from './lambda/function-instance.ts';
import type { Permissions } from './services/permissions.ts';
import { jsonResponse } from './services/proxy.ts';

/** `clients` is for the table Clients alone, so that clients can sign in while the other tables have faults. */
const RequestedFaults = v.strictObject({
  clients: v.optional(v.array(Fault)),
  dynamodb: v.optional(v.array(Fault)),
  lambda: v.optional(v.array(LambdaThrottle)),
});
export type RequestedFaults = v.InferOutput<typeof RequestedFaults>;

const WatchEvent = v.strictObject({ time: v.optional(v.pipe(v.string(), v.isoTimestamp())) });

/** Enough for all faults that a person types. */
const MAX_BODY_BYTES = 64 * 1024;

type ControlOptions = {
  permissions: Permissions;
  functionNames: readonly string[];
  faults: { clients: Faults<Fault>; dynamodb: Faults<Fault>; lambda: Faults<LambdaThrottle> };
  changePassword: (change: ChangedPassword) => void;
  runWatch: (time: string) => Promise<Outcome[]>;
};

type Handle = (body: string) => HttpResponse | Promise<HttpResponse>;

const withBody =
  <T>(schema: v.GenericSchema<unknown, T>, handle: (input: T) => ReturnType<Handle>): Handle =>
  (body) => {
    const { success, output, issues } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body || '{}');
    return success ? handle(output) : jsonResponse(400, { message: v.summarize(issues) });
  };

const UNKNOWN = 'There is no such request. A POST needs the header Content-Type: application/json.';

/** docs/local.md has the requests of this server. */
export const openControlServer = (options: ControlOptions) => {
  const { permissions, functionNames, faults, changePassword, runWatch } = options;
  const { clients, dynamodb, lambda } = faults;
  const showFaults = () =>
    jsonResponse(200, { clients: clients.counted, dynamodb: dynamodb.counted, lambda: lambda.counted });
  const handlers: Record<string, Handle> = {
    'GET /permissions': () =>
      jsonResponse(200, { granted: permissions.granted, unused: permissions.unused() }),
    'GET /faults': showFaults,
    'POST /faults': withBody(RequestedFaults, (requested) => {
      const isUnknown = (throttle: string) => !functionNames.some((name) => name.includes(throttle));
      const unknownName = requested.lambda?.find(({ throttle }) => isUnknown(throttle))?.throttle;
      if (unknownName !== undefined)
        return jsonResponse(400, {
          message: `There is no function ${unknownName}. There are ${functionNames.join(', ')}.`,
        });
      clients.replace(requested.clients);
      dynamodb.replace(requested.dynamodb);
      lambda.replace(requested.lambda);
      return showFaults();
    }),
    'POST /passwords': withBody(ChangedPassword, (change) => {
      changePassword(change);
      return jsonResponse(200, {});
    }),
    'POST /watch': withBody(WatchEvent, async ({ time = new Date().toISOString() }) => {
      const failed = (await runWatch(time)).find((outcome) => 'error' in outcome);
      return failed ? jsonResponse(502, { message: failed.error.errorMessage }) : jsonResponse(200, { time });
    }),
  };
  return openServer(async (incoming) => {
    const handle = handlers[`${incoming.method} ${incoming.url}`];
    const { method, headers } = incoming;
    // A web page of another origin can send this content type only after a preflight request, which gets a 404 here.
    // The host name of the page can also point at this machine, so the header Host is checked, too.
    const isAllowed =
      (method === 'GET' || headers['content-type'] === 'application/json') &&
      headers.host?.startsWith(`${LOOPBACK}:`);
    if (!handle || !isAllowed) return jsonResponse(404, { message: UNKNOWN });
    try {
      const body = await readBody(incoming, MAX_BODY_BYTES);
      return body ? await handle(String(body)) : jsonResponse(413, { message: 'Send at most 64 KB.' });
    } catch (error) {
      return jsonResponse(500, { message: error instanceof Error ? error.message : String(error) });
    }
  });
};
