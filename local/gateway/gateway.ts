import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../http.ts';
import { type Lambda, MAX_EVENT_BYTES } from '../lambda/lambda.ts';
import { effectOf, findMatchingStatements } from '../policy.ts';
import {
  GatewayError,
  gatewayAnswer,
  type HttpAnswer,
  OVER_PAYLOAD_LIMIT,
  platformHeaders,
  proxyAnswer,
  render,
} from './answer.ts';
import { type Api, type Method, type MockIntegration, mayInvoke, type ProxyIntegration } from './api.ts';
import { Authorization, invocationOf } from './authorization.ts';
import { refuseBadRequests } from './bad-requests.ts';
import { compress, decompress, MAX_PAYLOAD_BYTES, readBody, send } from './payload.ts';
import { type GatewayRequest, headerOf, proxyEvent, readRequest } from './request.ts';
import { checkRequiredParameters } from './required-parameters.ts';
import { route } from './route.ts';
import { Throttle } from './throttle.ts';
import { UsageMeter } from './usage-plans.ts';

export type ServedRequest = {
  request: GatewayRequest;
  statusCode: number;
  milliseconds: number;
  client: string;
};

type GatewayOptions = {
  api: Api;
  lambda: Lambda;
  isThrottled: boolean;
  onServed: (request: ServedRequest) => void;
};

export class Gateway {
  private readonly options: GatewayOptions;
  private readonly authorization: Authorization;
  private readonly throttle = new Throttle();
  private readonly usageMeter = new UsageMeter(this.throttle);
  private readonly server = createServer((incoming, outgoing) => void this.serve(incoming, outgoing));

  constructor(options: GatewayOptions) {
    const { api, lambda } = options;
    this.options = options;
    this.authorization = new Authorization(api, lambda);
    // The platform sends 100 Continue before it checks the request.
    this.server.on('checkContinue', (incoming, outgoing) => {
      outgoing.writeContinue();
      void this.serve(incoming, outgoing);
    });
    refuseBadRequests(this.server);
    // A client may close its half of the connection after its request and still wait for the response.
    Object.assign(this.server, { httpAllowHalfOpen: true });
  }

  async open(port: number) {
    return `${await listen(this.server, port)}/${this.options.api.stage}`;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse) {
    const started = performance.now();
    const { api, onServed } = this.options;
    const [fullPath = '/', query = ''] = splitTarget(incoming.url ?? '/');
    const request = readRequest(incoming, pathInStage(api.stage, fullPath) ?? fullPath, query);
    try {
      const body = await readBody(incoming);
      send(outgoing, request, body ? await this.answerOrError(request, fullPath, body) : OVER_PAYLOAD_LIMIT);
    } catch {
      // The client has disconnected.
      incoming.socket.destroy();
      return;
    }
    onServed({
      request,
      statusCode: outgoing.statusCode,
      milliseconds: performance.now() - started,
      client: String(request.authorizer?.['client'] ?? '-'),
    });
  }

  /** Returns an error response if the request is refused or a bug throws. */
  private async answerOrError(
    request: GatewayRequest,
    fullPath: string,
    body: Buffer[],
  ): Promise<HttpAnswer> {
    const { api } = this.options;
    try {
      if (pathInStage(api.stage, fullPath) === undefined) return noSuchStage(request);
      return await this.checkAndCall(request, body);
    } catch (error) {
      if (error instanceof GatewayError) return gatewayAnswer(api, request, error);
      // A bug in this program. The client gets the error for a misconfigured API.
      process.emitWarning(error instanceof Error ? error : String(error));
      return gatewayAnswer(api, request, misconfigured());
    }
  }

  /** Checks the request, and then calls its function or mock. Throws a GatewayError for a refused request. */
  private async checkAndCall(request: GatewayRequest, body: Buffer[]): Promise<HttpAnswer> {
    const { api, isThrottled } = this.options;
    const call = { ...invocationOf(api, request), sourceIp: request.sourceIp };
    if (effectOf(findMatchingStatements(api.policy, call)) === 'Deny') {
      throw new GatewayError('ACCESS_DENIED', 403, 'User is not authorized to access this resource');
    }
    const method = route(api, request.httpMethod, request.path);
    if (!method) throw noSuchMethod(request);
    request.method = method;
    if (isThrottled && api.throttle && !this.throttle.tryConsume(nameInUsagePlan(method), api.throttle))
      throw throttled();
    if (method.isAuthorized) {
      const { context, apiKey } = await this.authorization.authorize(request);
      request.authorizer = context;
      if (method.needsApiKey) this.enforceUsagePlan(request, method, apiKey);
    }
    checkRequiredParameters(request, method);
    const plainBody = await decompress(request, Buffer.concat(body), api.compressFrom);
    const answer =
      method.integration.type === 'MOCK'
        ? answerMock(method.integration, request)
        : await this.callFunction(method.integration, request, plainBody);
    return compress(request, answer, api.compressFrom);
  }

  /** The authorizer returns the API key. A client cannot send it in a header. */
  private enforceUsagePlan(request: GatewayRequest, method: Method, apiKey = '') {
    const { api, isThrottled } = this.options;
    const plan = api.usagePlans.get(apiKey);
    if (!plan) throw new GatewayError('INVALID_API_KEY', 403, 'Forbidden');
    request.apiKey = { apiKey, apiKeyId: plan.keyId };
    if (!isThrottled) return;
    // The time now, not of arrival: a slow request may have arrived yesterday, and would reset today's count.
    const exceeded = this.usageMeter.countRequest(plan, nameInUsagePlan(method), new Date());
    if (exceeded === 'THROTTLED') throw throttled();
    if (exceeded === 'QUOTA_EXCEEDED') throw new GatewayError(exceeded, 429, 'Limit Exceeded');
  }

  private async callFunction(
    integration: ProxyIntegration,
    request: GatewayRequest,
    body: Buffer,
  ): Promise<HttpAnswer> {
    const { api, lambda } = this.options;
    const source = `${api.stage}/${request.httpMethod}${request.method?.resourcePath ?? ''}`;
    if (!integration.isPost || !mayInvoke(api, integration.functionArn, source)) throw misconfigured();
    const event = JSON.stringify(proxyEvent(api, request, body.toString()));
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) {
      throw new GatewayError('REQUEST_TOO_LARGE', 413, 'Request Too Long');
    }
    const timer = new AbortController();
    const outcome = await Promise.race([
      lambda.invoke(integration.functionArn, event),
      sleep(integration.timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    if (!outcome) throw new GatewayError('INTEGRATION_TIMEOUT', 504, 'Endpoint request timed out');
    if ('error' in outcome) throw functionFailed(outcome.isThrottled);
    const answer = proxyAnswer(request, outcome.answer);
    if (answer.body.byteLength > MAX_PAYLOAD_BYTES)
      throw new GatewayError('DEFAULT_5XX', 502, 'Internal server error');
    return answer;
  }
}

/** For example: /rest/warehouse-control/changes/POST */
const nameInUsagePlan = ({ resourcePath, httpMethod }: Method) => `${resourcePath}/${httpMethod}`;

const throttled = () => new GatewayError('THROTTLED', 429, 'Too Many Requests');

const misconfigured = () => new GatewayError('API_CONFIGURATION_ERROR', 500, 'Internal server error');

const functionFailed = (isThrottled = false) =>
  isThrottled
    ? new GatewayError('INTEGRATION_FAILURE', 500, 'Internal server error')
    : new GatewayError('DEFAULT_5XX', 502, 'Internal server error');

/** A client that uses a proxy sends the whole URL. */
const splitTarget = (target: string) => {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const at = local.indexOf('?');
  return at === -1 ? [local] : [local.slice(0, at), local.slice(at + 1)];
};

/** Several slashes before the stage count as one. This was recorded on an EDGE API. A REGIONAL API may differ. */
const pathInStage = (stage: string, path: string) => {
  const bare = path.replace(/^\/+/, '/');
  if (bare === `/${stage}`) return '/';
  return bare.startsWith(`/${stage}/`) ? bare.slice(stage.length + 1) : undefined;
};

/** The platform's response to a path outside the stage. It does not depend on the template. */
const noSuchStage = (request: GatewayRequest): HttpAnswer => ({
  statusCode: 403,
  headers: [
    ['Content-Type', 'application/json'],
    ['x-amzn-ErrorType', 'ForbiddenException'],
    ...platformHeaders(request),
  ],
  body: Buffer.from('{"message":"Forbidden"}'),
});

/** If no method matches, the gateway reads every Authorization header as a signature. */
const noSuchMethod = (request: GatewayRequest) =>
  headerOf(request, 'authorization')
    ? new GatewayError('INVALID_SIGNATURE', 403, 'Authorization header requires a signature')
    : new GatewayError('MISSING_AUTHENTICATION_TOKEN', 403, 'Missing Authentication Token');

const answerMock = (integration: MockIntegration, request: GatewayRequest): HttpAnswer => {
  const contentType = (headerOf(request, 'content-type') ?? 'application/json')
    .split(';')[0]
    ?.trim()
    .toLowerCase();
  const template = integration.requestTemplates[contentType ?? ''];
  if (template === undefined) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 415, 'Unsupported Media Type');
  const { statusCode } = JSON.parse(template);
  const response = integration.responses.find((candidate) => candidate.statusCode === String(statusCode));
  if (!response) throw misconfigured();
  return {
    statusCode: Number(statusCode),
    headers: [...Object.entries(response.headers), ...platformHeaders(request)],
    body: Buffer.from(render(response.template, request)),
  };
};
