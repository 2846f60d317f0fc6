import { once } from 'node:events';
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { isRecord } from '../../shared/http/json.ts';
import { type OperationName, operations } from '../../shared/operations.ts';

type Headers = Record<string, string>;

export type Request = {
  method: string;
  /** Below the base URL. */
  path: string;
  headers?: Headers;
  body?: string | Buffer;
  /** Replaces the caller's own header Authorization. With null, the request has no such header. */
  authorization?: string | null;
};

type ReceivedResponse = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; isContinued: boolean };
/** `json` is empty if the body is no object. */
export type Response = ReceivedResponse & { text: string; json: Record<string, unknown> };

/** A deployment, and the client that the doctor signs in as. */
export type Login = {
  /** Without a slash at the end. */
  baseUrl: string;
  client: string;
  userName: string;
  password: string;
};

export const basicCredentials = (userName: string, password: string) =>
  `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;

/** Calls the service for one fact, within the time limit of its check. */
export class Caller {
  readonly login: Login;
  readonly signal: AbortSignal;
  readonly responses: Response[] = [];

  constructor(login: Login, signal: AbortSignal) {
    this.login = login;
    this.signal = signal;
  }

  getOrders(options: Partial<Request> = {}) {
    return this.send({ ...operations['get-purchase-orders'], ...options });
  }

  post(name: OperationName, body: string | Buffer, headers: Headers = {}) {
    return this.send({ ...operations[name], body, headers });
  }

  async send(request: Request) {
    const { method, path, body = '' } = request;
    const { baseUrl } = this.login;
    const options = { method, headers: this.headersFor(request), signal: this.signal, agent: false };
    const outgoing = (baseUrl.startsWith('https:') ? https : http).request(`${baseUrl}${path}`, options);
    // The response may come before the body is sent. A failure to send the rest of the body is then no error.
    outgoing.on('error', () => {});
    const receiving = receiveResponse(outgoing);
    const isContinued = outgoing.hasHeader('expect') && (await waitForContinue(outgoing, receiving));
    outgoing.end(body);
    return this.keep({ ...(await receiving), isContinued });
  }

  /** Keeps the response. `fact.ts` chooses its advice by all responses of a check. */
  keep(received: ReceivedResponse): Response {
    const text = received.bytes.toString();
    const response = { ...received, text, json: v.parse(JsonObject, text) };
    this.responses.push(response);
    return response;
  }

  /** The headers that the old programs send, also on a GET. */
  headersFor({ headers, body = '', authorization }: Request): Headers {
    const { userName, password } = this.login;
    const credentials = authorization === undefined ? basicCredentials(userName, password) : authorization;
    return {
      Accept: '*/*',
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      ...(credentials === null ? {} : { Authorization: credentials }),
      ...headers,
    };
  }

  /** For a bare socket. An IP address must not be sent as a server name. */
  get socketTarget() {
    const { hostname, port, protocol } = new URL(this.login.baseUrl);
    const host = hostname.replace(/^\[|\]$/g, '');
    const isSecure = protocol === 'https:';
    const servername = isIP(host) ? '' : host;
    return { isSecure, host, port: Number(port || (isSecure ? 443 : 80)), servername };
  }
}

const receiveResponse = async (request: ClientRequest) => {
  const incoming = await Promise.race([
    once(request, 'response').then(([response]: IncomingMessage[]) => response),
    // Without this promise, the process would exit when the connection ends without a response.
    once(request, 'close').then(() => undefined),
  ]);
  if (!incoming) throw Object.assign(new Error('The connection ended.'), { code: 'NoResponse' });
  const { statusCode: status = 0, headers } = incoming;
  return { status, headers, bytes: await buffer(incoming) };
};

/** Returns whether 100 Continue came within one second. Otherwise the body is sent without it, as curl does. */
const waitForContinue = (request: ClientRequest, response: Promise<unknown>) =>
  Promise.race([
    once(request, 'continue').then(() => true),
    response.then(() => false),
    sleep(1_000).then(() => false),
  ]);

const Fields = v.custom<Record<string, unknown>>(isRecord);
const JsonObject = v.fallback(v.pipe(v.string(), v.parseJson(), Fields), {});
