import type { Agent, IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationName, operations } from '../../shared/operations.ts';
import { isRecord } from '../../shared/schemas/json.ts';
import { type Answer, answerTo, openRequest } from './exchange.ts';
import type { Quote } from './quote.ts';
import type { Records } from './records.ts';

export type Headers = Record<string, string>;

export type Request = {
  method: string;
  /** Below the base URL. */
  path: string;
  headers?: Headers;
  body?: string | Buffer;
  /** Instead of the client's own; null for none. */
  authorization?: string | null;
  agent?: Agent;
};

/** An answer, and how to speak of it. */
export type Told = Answer & {
  /** What it is the answer to. */
  to: string;
  text: string;
  json: unknown;
  milliseconds: number;
  quote: Quote;
};

export type Service = {
  baseUrl: string;
  client: string;
  username: string;
  authorization: string;
  quote: Quote;
  quoteId: Quote;
  now: () => number;
  records: Records;
};

/** What a check works with: the service, and the time that it has for that. */
export class ProbeClient {
  readonly service: Service;
  readonly signal: AbortSignal;
  private readonly endsAt: number;

  constructor(service: Service, signal: AbortSignal, limitMs: number) {
    this.service = service;
    this.signal = signal;
    this.endsAt = performance.now() + limitMs;
  }

  get(name: OperationName, headers: Headers = {}) {
    return this.send({ ...operations[name], headers });
  }

  post(name: OperationName, body: string | Buffer, headers: Headers = {}) {
    return this.send({ ...operations[name], body, headers });
  }

  send(request: Request): Promise<Told> {
    return this.retryThrottled(() => this.sendOnce(request));
  }

  /** Comes again a few times where it is asked to, while there is time: what asks tells more than a time that is over. */
  async retryThrottled<T extends Told>(attempt: () => Promise<T>): Promise<T> {
    for (let left = MOST_TRIES - 1; ; left -= 1) {
      const told = await attempt();
      if (told.status !== 429 || left === 0) return told;
      const waitMs = waitOf(told.headers);
      if (waitMs > (this.endsAt - performance.now()) / 2) return told;
      await sleep(waitMs, undefined, { signal: this.signal });
    }
  }

  private async sendOnce(request: Request): Promise<Told> {
    const { path, method, body = '', agent } = request;
    const started = performance.now();
    const outgoing = openRequest(this.url(path), {
      method,
      headers: this.headersOf(request),
      signal: this.signal,
      agent,
    });
    outgoing.end(body);
    return this.tell(method, path, await this.heard(method, answerTo(outgoing)), started);
  }

  /** What has no answer may have been kept all the same. */
  async heard(method: string, answer: Promise<Answer>) {
    try {
      return await answer;
    } catch (error) {
      if (method === 'POST') this.service.records.withoutAnswer += 1;
      throw error;
    }
  }

  url(path: string) {
    return `${this.service.baseUrl}${path}`;
  }

  /** As the clients send them: on every request, also on a GET. */
  headersOf({ headers = {}, body = '', authorization = this.service.authorization }: Request): Headers {
    return merged(
      {
        Accept: '*/*',
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        ...(authorization === null ? {} : { Authorization: authorization }),
      },
      headers,
    );
  }

  tell(method: string, path: string, answer: Answer, started: number): Told {
    const text = answer.bytes.toString();
    const json = parsed(text);
    if (method === 'POST') this.service.records.add(answer.status, json);
    return {
      ...answer,
      to: `${method} ${path.replace(PREFIX, '')}`,
      text,
      json,
      milliseconds: Math.round(performance.now() - started),
      quote: this.service.quote,
    };
  }
}

const MOST_TRIES = 5;
const LONGEST_WAIT_S = 10;

/** In milliseconds. */
export const waitOf = (headers: IncomingHttpHeaders) => {
  const seconds = Number(headers['retry-after'] ?? 1);
  return 1_000 * (seconds >= 0 ? Math.min(seconds, LONGEST_WAIT_S) : 1);
};

const PREFIX = /^\/rest\/warehouse-control\/(?=.)/;

/** A header that is given stands in the place of the usual one, whatever the letter case of its name. */
const merged = (usual: Headers, given: Headers): Headers => {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const kept = Object.entries(usual).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...given };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What an answer says, as short as it says it. */
export const excerptOf = ({ json, text, quote }: Told) => {
  const body = isRecord(json) ? json : {};
  const words = [body['detail'], body['message'], text].find((each) => typeof each === 'string');
  return words ? ` ${quote(String(words))}` : '';
};
