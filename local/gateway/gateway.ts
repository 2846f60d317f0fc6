import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTurns } from '../../shared/turns.ts';
import { close, listen, readBody } from '../http.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Api, Method } from './api.ts';
import { createAuthorizer } from './authorization.ts';
import { GatewayError } from './errors.ts';
import { type Clock, createThrottle, createUsageMeter, within } from './limits.ts';
import { refuseMalformedRequests } from './malformed-requests.ts';
import { compress, decompress, MAX_EVENT_BYTES, MAX_PAYLOAD_BYTES, send } from './payload.ts';
import { type GatewayRequest, headerOf, proxyEvent, readRequest } from './request.ts';
import {
  errorResponse,
  missingHost,
  mockResponse,
  noSuchApiStage,
  OVER_PAYLOAD_LIMIT,
  proxyResponse,
} from './response.ts';
import { route } from './route.ts';

export type ServedRequest = {
  request: GatewayRequest;
  statusCode: number;
  milliseconds: number;
  client: string;
};

type GatewayOptions = {
  api: Api;
  lambda: Pick<Lambda, 'invoke'>;
  hasLimits: boolean;
  onServed: (request: ServedRequest) => void;
  clock?: Clock;
};

/** Several events of this size at once would leave no processor for the other requests. */
const LARGE_EVENT_CHARACTERS = 1_000_000;

/** docs/integration.md promises a response within this time. */
const RESPOND_WITHIN_MS = 29_000;

const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

/** Starts the gateway on the port. `onServed` gets each request whose response has been sent. */
export const openGateway = async (
  port: number,
  { api, lambda, hasLimits, onServed, clock = systemClock }: GatewayOptions,
) => {
  const authorize = createAuthorizer(api, lambda, clock);
  const tryConsume = createThrottle(clock);
  const countOrRefuse = createUsageMeter(clock);
  const takeTurn = createTurns();

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const startedAt = clock.monotonicMs();
    const fullPath = pathOf(incoming.url ?? '/');
    const path = pathInStage(api.stage, fullPath);
    const request = readRequest(incoming, path ?? fullPath, clock.now());
    try {
      const body = await readBody(incoming, MAX_PAYLOAD_BYTES);
      const isHostMissing = incoming.httpVersion === '1.1' && incoming.headers.host === undefined;
      const response = isHostMissing
        ? missingHost(request)
        : await responseOrError(request, path !== undefined, body);
      send(outgoing, request, response);
    } catch {
      // The sender has disconnected.
      incoming.socket.destroy();
      return;
    }
    onServed({
      request,
      statusCode: outgoing.statusCode,
      milliseconds: clock.monotonicMs() - startedAt,
      client: request.authorizer?.['client'] ?? '-',
    });
  };

  /** Returns an error response if the request is refused or a bug throws. */
  const responseOrError = async (request: GatewayRequest, isInStage: boolean, body: Buffer | undefined) => {
    if (!body) return OVER_PAYLOAD_LIMIT;
    if (!isInStage) return noSuchApiStage(request);
    try {
      return await checkAndCall(request, body);
    } catch (error) {
      if (error instanceof GatewayError) return errorResponse(api, request, error.type);
      // An error of another class is a bug of the gateway. The sender gets the error for a misconfigured API.
      process.emitWarning(error instanceof Error ? error : String(error));
      return errorResponse(api, request, 'API_CONFIGURATION_ERROR');
    }
  };

  /** Checks the request, and then calls its function or mock. Throws a GatewayError for a refused request. */
  const checkAndCall = async (request: GatewayRequest, body: Buffer) => {
    const method = route(api, request.httpMethod, request.path);
    if (!method) throw noSuchMethod(request);
    request.method = method;
    if (hasLimits && !tryConsume(methodKey(method), api.throttle)) throw new GatewayError('THROTTLED');
    const deadline = clock.monotonicMs() + RESPOND_WITHIN_MS;
    const { context, apiKey } = await authorize(request);
    request.authorizer = context;
    enforceUsagePlan(method, apiKey);
    if (method.RequestParameters.some((name) => headerOf(request, name.toLowerCase()) === undefined))
      throw new GatewayError('BAD_REQUEST_PARAMETERS');
    const plainBody = await decompress(request, body);
    return compress(request, await integrate(request, method, String(plainBody), deadline));
  };

  /** The API key comes from the authorizer. A key in a header of the request is ignored. */
  const enforceUsagePlan = (method: Method, apiKey = '') => {
    const plan = api.usagePlans.get(apiKey);
    if (!plan) throw new GatewayError('INVALID_API_KEY');
    const errorType = hasLimits && countOrRefuse(plan, methodKey(method));
    if (errorType) throw new GatewayError(errorType);
  };

  /** Large events take turns. An event whose time is up before its turn reaches no function. */
  const invokeWithin = (ms: number, functionArn: string, event: string) => {
    let isAwaited = true;
    const invoke = async () => (isAwaited ? lambda.invoke(functionArn, event) : undefined);
    const outcome = event.length < LARGE_EVENT_CHARACTERS ? invoke() : takeTurn(invoke);
    return within(ms, outcome, clock).finally(() => {
      isAwaited = false;
    });
  };

  const integrate = async (
    request: GatewayRequest,
    { Integration, resourcePath }: Method,
    body: string,
    deadline: number,
  ) => {
    if (Integration.Type === 'MOCK') return mockResponse(Integration, request);
    const { Uri: functionArn, TimeoutInMillis } = Integration;
    if (!api.mayInvoke(functionArn, `${api.stage}/${request.httpMethod}${resourcePath}`))
      throw new GatewayError('API_CONFIGURATION_ERROR');
    const event = JSON.stringify(proxyEvent(api, request, body));
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) throw new GatewayError('REQUEST_TOO_LARGE');
    const ms = Math.min(TimeoutInMillis, deadline - clock.monotonicMs());
    return proxyResponse(request, await invokeWithin(ms, functionArn, event));
  };

  const server = createServer(
    { requireHostHeader: false },
    (incoming, outgoing) => void serve(incoming, outgoing),
  );
  // A sender may close its side of the connection after its request, and still wait for the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  // By default, Node writes `100 Continue` at once, even into a response that still waits for an earlier response.
  server.on('checkContinue', (incoming, outgoing) => {
    const proceed = () => {
      outgoing.writeContinue();
      void serve(incoming, outgoing);
    };
    // `outgoing` has no socket until the earlier responses of the connection are sent.
    if (outgoing.socket) proceed();
    else outgoing.once('socket', proceed);
  });
  // By default, Node responds with a 417 without a body, also to an empty header Expect.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  refuseMalformedRequests(server);
  return { baseUrl: `${await listen(server, port)}/${api.stage}`, close: () => close(server) };
};

/** For example: /rest/warehouse-control/changes/POST */
const methodKey = ({ resourcePath, HttpMethod }: Method) => `${resourcePath}/${HttpMethod}`;

/** A sender that uses a proxy sends the whole URL. No operation reads the query. */
const pathOf = (target: string) => target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');

/** Several slashes before the API stage count as one slash. This was recorded on an EDGE API. A REGIONAL API may differ. */
const pathInStage = (stage: string, path: string) => {
  const withOneSlash = path.replace(/^\/+/, '/');
  if (withOneSlash === `/${stage}`) return '/';
  return withOneSlash.startsWith(`/${stage}/`) ? withOneSlash.slice(stage.length + 1) : undefined;
};

/** If no method matches, the gateway reads every Authorization header as a signature. */
const noSuchMethod = (request: GatewayRequest) =>
  new GatewayError(headerOf(request, 'authorization') ? 'INVALID_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN');
