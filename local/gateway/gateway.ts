import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { close, listen } from '../http.ts';
import type { Lambda } from '../lambda/lambda.ts';
import {
  errorAnswer,
  type HttpAnswer,
  mockAnswer,
  noSuchStage,
  OVER_PAYLOAD_LIMIT,
  proxyAnswer,
} from './answer.ts';
import { type Api, type Method, mayInvoke } from './api.ts';
import { Authorization } from './authorization.ts';
import { GatewayError } from './errors.ts';
import { type Clock, Throttle, UsageMeter } from './limits.ts';
import { compress, decompress, MAX_PAYLOAD_BYTES, readBody, send } from './payload.ts';
import { type GatewayRequest, headerOf, proxyEvent, readRequest } from './request.ts';
import { route } from './route.ts';
import type { FunctionIntegration } from './template-schemas.ts';

export type ServedRequest = {
  request: GatewayRequest;
  statusCode: number;
  milliseconds: number;
  client: string;
};

type GatewayOptions = {
  api: Api;
  lambda: Pick<Lambda, 'invoke'>;
  isThrottled: boolean;
  onServed: (request: ServedRequest) => void;
  clock?: Clock;
};

/** Lambda's limit. */
const MAX_EVENT_BYTES = 6_291_456;

const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() };

export class Gateway {
  private readonly options: GatewayOptions;
  private readonly clock: Clock;
  private readonly authorization: Authorization;
  private readonly throttle: Throttle;
  private readonly usageMeter: UsageMeter;
  private readonly server = createServer((incoming, outgoing) => void this.serve(incoming, outgoing));

  constructor(options: GatewayOptions) {
    const { api, lambda, clock = systemClock } = options;
    this.options = options;
    this.clock = clock;
    this.authorization = new Authorization(api, lambda, clock);
    this.throttle = new Throttle(clock);
    this.usageMeter = new UsageMeter(clock);
    // The platform sends 100 Continue before it checks the request.
    this.server.on('checkContinue', (incoming, outgoing) => {
      outgoing.writeContinue();
      void this.serve(incoming, outgoing);
    });
    // A client may close its half of the connection after its request and still wait for the response.
    Object.assign(this.server, { httpAllowHalfOpen: true });
  }

  async open(port: number) {
    return `${await listen(this.server, port)}/${this.options.api.stage}`;
  }

  close() {
    close(this.server);
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { api, onServed } = this.options;
    const started = this.clock.elapsedMs();
    const fullPath = pathOf(incoming.url ?? '/');
    const path = pathInStage(api.stage, fullPath);
    const request = readRequest(incoming, path ?? fullPath, this.clock.now());
    try {
      const body = await readBody(incoming);
      send(outgoing, request, await this.answerOrError(request, path !== undefined, body));
    } catch {
      // The client has disconnected.
      incoming.socket.destroy();
      return;
    }
    onServed({
      request,
      statusCode: outgoing.statusCode,
      milliseconds: this.clock.elapsedMs() - started,
      client: request.authorizer?.['client'] ?? '-',
    });
  }

  /** Returns an error response if the request is refused or a bug throws. */
  private async answerOrError(
    request: GatewayRequest,
    isInStage: boolean,
    body: Buffer | undefined,
  ): Promise<HttpAnswer> {
    if (!body) return OVER_PAYLOAD_LIMIT;
    if (!isInStage) return noSuchStage(request);
    try {
      return await this.checkAndCall(request, body);
    } catch (error) {
      if (error instanceof GatewayError) return errorAnswer(this.options.api, request, error.type);
      // A bug in this program. The client gets the error for a misconfigured API.
      process.emitWarning(error instanceof Error ? error : String(error));
      return errorAnswer(this.options.api, request, 'API_CONFIGURATION_ERROR');
    }
  }

  /** Checks the request, and then calls its function or mock. Throws a GatewayError for a refused request. */
  private async checkAndCall(request: GatewayRequest, body: Buffer): Promise<HttpAnswer> {
    const { api, isThrottled } = this.options;
    const method = route(api, request.httpMethod, request.path);
    if (!method) throw noSuchMethod(request);
    request.method = method;
    if (isThrottled && !this.throttle.tryConsume(nameInUsagePlan(method), api.throttle))
      throw new GatewayError('THROTTLED');
    const { context, apiKey } = await this.authorization.authorize(request);
    request.authorizer = context;
    this.enforceUsagePlan(method, apiKey);
    if (method.RequestParameters.some((name) => headerOf(request, name.toLowerCase()) === undefined))
      throw new GatewayError('BAD_REQUEST_PARAMETERS');
    const plainBody = await decompress(request, body, api.compressFrom);
    const { Integration } = method;
    const answer =
      Integration.Type === 'MOCK'
        ? mockAnswer(Integration, request)
        : await this.callFunction(Integration, request, method, plainBody.toString());
    return compress(request, answer, api.compressFrom);
  }

  /** The authorizer returns the API key. A client cannot send it in a header. */
  private enforceUsagePlan(method: Method, apiKey = '') {
    const plan = this.options.api.usagePlans.get(apiKey);
    if (!plan) throw new GatewayError('INVALID_API_KEY');
    if (!this.options.isThrottled) return;
    const exceeded = this.usageMeter.countRequest(plan, nameInUsagePlan(method));
    if (exceeded) throw new GatewayError(exceeded);
  }

  private async callFunction(
    { Uri: functionArn, TimeoutInMillis }: FunctionIntegration,
    request: GatewayRequest,
    { resourcePath }: Method,
    body: string,
  ): Promise<HttpAnswer> {
    const { api, lambda } = this.options;
    if (!mayInvoke(api, functionArn, `${api.stage}/${request.httpMethod}${resourcePath}`))
      throw new GatewayError('API_CONFIGURATION_ERROR');
    const event = JSON.stringify(proxyEvent(api, request, body));
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) throw new GatewayError('REQUEST_TOO_LARGE');
    const timer = new AbortController();
    const outcome = await Promise.race([
      lambda.invoke(functionArn, event),
      sleep(TimeoutInMillis, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    if (!outcome) throw new GatewayError('INTEGRATION_TIMEOUT');
    if ('error' in outcome)
      throw new GatewayError(outcome.isThrottled ? 'INTEGRATION_FAILURE' : 'DEFAULT_5XX');
    const answer = proxyAnswer(request, outcome.answer);
    if (answer.body.byteLength > MAX_PAYLOAD_BYTES) throw new GatewayError('DEFAULT_5XX');
    return answer;
  }
}

/** For example: /rest/warehouse-control/changes/POST */
const nameInUsagePlan = ({ resourcePath, HttpMethod }: Method) => `${resourcePath}/${HttpMethod}`;

/** A client that uses a proxy sends the whole URL. No operation has a query. */
const pathOf = (target: string) => target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');

/** Several slashes before the stage count as one. This was recorded on an EDGE API. A REGIONAL API may differ. */
const pathInStage = (stage: string, path: string) => {
  const bare = path.replace(/^\/+/, '/');
  if (bare === `/${stage}`) return '/';
  return bare.startsWith(`/${stage}/`) ? bare.slice(stage.length + 1) : undefined;
};

/** If no method matches, the gateway reads every Authorization header as a signature. */
const noSuchMethod = (request: GatewayRequest) =>
  new GatewayError(headerOf(request, 'authorization') ? 'INVALID_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN');
