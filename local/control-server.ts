import * as v from 'valibot';
import { locateJsonError } from '../shared/http/json.ts';
import type { Issue } from '../shared/http/problem.ts';
import { LOOPBACK } from '../shared/loopback.ts';
import { validate } from '../shared/schemas/validate.ts';
import { ChangedPassword } from './clients/passwords.ts';
import { Fault, type Faults, functionOf, LambdaFault } from './faults.ts';
import { type HttpResponse, openServer, readBody } from './http.ts';
import type { Outcome } from './lambda/function-instance.ts';
import type { Permissions } from './services/permissions.ts';
import { jsonResponse } from './services/proxy.ts';

const listOf = <T extends v.GenericSchema>(fault: T) =>
  v.optional(v.array(fault, 'The faults must be an array.'));

/** `clients` is for the table Clients alone, so that clients can sign in while the other tables have faults. */
const RequestedFaults = v.strictObject(
  { clients: listOf(Fault), dynamodb: listOf(Fault), lambda: listOf(LambdaFault) },
  'The body must be an object with clients, dynamodb and lambda.',
);
export type RequestedFaults = v.InferOutput<typeof RequestedFaults>;

const EXPECTED_TIME = 'The time must be like 2026-11-23T06:05:00Z.';
const WatchEvent = v.strictObject(
  { time: v.optional(v.pipe(v.string(EXPECTED_TIME), v.isoTimestamp(EXPECTED_TIME))) },
  'The body must be an object with time.',
);

/** Enough for all faults that a person types. */
const MAX_BODY_BYTES = 64 * 1024;

type ControlOptions = {
  permissions: Permissions;
  functionNames: readonly string[];
  faults: { clients: Faults<Fault>; dynamodb: Faults<Fault>; lambda: Faults<LambdaFault> };
  followPassword: (change: ChangedPassword) => Promise<void>;
  runWatch: (time: string) => Promise<Outcome[]>;
};

type Handle = (body: string) => HttpResponse | Promise<HttpResponse>;

const refuse = (message: string) => jsonResponse(400, { message });

const withBody =
  <T extends v.GenericSchema>(schema: T, handle: (input: v.InferOutput<T>) => ReturnType<Handle>): Handle =>
  (body) => {
    let input: unknown;
    try {
      input = JSON.parse(body || '{}');
    } catch {
      return refuse(`The body is not valid JSON: ${locateJsonError(body)}.`);
    }
    const { output, issues } = validate(schema, input);
    return issues ? refuse(issues.listed.map(sentenceOf).join(' ')) : handle(output);
  };

/** The place comes first, such as dynamodb/0/kind. The whole body has no place. */
const sentenceOf = ({ pointer, detail }: Issue) =>
  pointer === '#' ? detail : `${pointer.slice(2)}: ${detail}`;

const UNKNOWN = 'There is no such request. A POST needs the header Content-Type: application/json.';

/** docs/local.md has the requests of this server. */
export const openControlServer = (options: ControlOptions) => {
  const { permissions, functionNames, faults, followPassword, runWatch } = options;
  const { clients, dynamodb, lambda } = faults;
  const showFaults = () =>
    jsonResponse(200, { clients: clients.counted, dynamodb: dynamodb.counted, lambda: lambda.counted });
  const handlers: Record<string, Handle> = {
    'GET /permissions': () =>
      jsonResponse(200, { granted: permissions.granted, unused: permissions.unused() }),
    'GET /faults': showFaults,
    'POST /faults': withBody(RequestedFaults, (requested) => {
      const unknownName = requested.lambda
        ?.map(functionOf)
        .find((part) => !functionNames.some((name) => name.includes(part)));
      if (unknownName !== undefined)
        return refuse(`There is no function ${unknownName}. There are ${functionNames.join(', ')}.`);
      clients.replace(requested.clients);
      dynamodb.replace(requested.dynamodb);
      lambda.replace(requested.lambda);
      return showFaults();
    }),
    'POST /passwords': withBody(ChangedPassword, async (change) => {
      await followPassword(change);
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
