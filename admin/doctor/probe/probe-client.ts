import type { Agent, IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationName, operations } from '../../../shared/operations.ts';
import { openRequest, receiveResponse, waitForContinue } from './connection.ts';
import type { Quote } from './redact.ts';
import type { WrittenRecords } from './written-records.ts';

type Headers = Record<string, string>;

type ProbeRequest = {
  method: string;
  /** Below the base URL. */
  path: string;
  headers?: Headers;
  body?: string | Buffer;
  /** Replaces the client's own header. Null sends none. */
  authorization?: string | null;
  agent?: Agent;
};

export type ProbeResponse = Awaited<ReturnType<ProbeClient['send']>>;

export type ProbeSession = {
  baseUrl: string;
  username: string;
  authorization: string;
  quote: Quote;
  written: WrittenRecords;
  now: () => number;
};

const MAX_ATTEMPTS = 5;

/** Sends the requests of one check within its time limit. */
export class ProbeClient {
  readonly session: ProbeSession;
  readonly signal: AbortSignal;

  constructor(session: ProbeSession, signal: AbortSignal) {
    this.session = session;
    this.signal = signal;
  }

  post(name: OperationName, body: string | Buffer, headers: Headers = {}) {
    return this.send({ ...operations[name], body, headers });
  }

  async send(request: ProbeRequest) {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.sendOnce(request);
      if (response.status !== 429 || attempt === MAX_ATTEMPTS) return response;
      await sleep(retryDelayMs(response.headers), undefined, { signal: this.signal });
    }
  }

  async sendOnce(request: ProbeRequest) {
    const { method, path, body = '', agent = false } = request;
    const { baseUrl, quote, written } = this.session;
    const startedAt = performance.now();
    const options = { method, headers: this.headersFor(request), signal: this.signal, agent };
    const outgoing = openRequest(`${baseUrl}${path}`, options);
    try {
      const receiving = receiveResponse(outgoing);
      const waits = outgoing.hasHeader('expect');
      const continuedAfterMs = waits ? await waitForContinue(outgoing, receiving) : undefined;
      outgoing.end(body);
      const received = await receiving;
      const milliseconds = Math.round(performance.now() - startedAt);
      const text = received.bytes.toString();
      const json = parseJson(text);
      if (method === 'POST') written.add(received.status, json);
      const label = `${method} ${path.slice(path.lastIndexOf('/') + 1)}`;
      return { ...received, label, text, json, milliseconds, continuedAfterMs, quote };
    } catch (error) {
      if (method === 'POST') written.uncertain += 1;
      throw error;
    }
  }

  /** As the old clients send them, also on a GET. */
  headersFor({ headers, body = '', authorization = this.session.authorization }: ProbeRequest): Headers {
    return {
      Accept: '*/*',
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...headers,
    };
  }
}

/** All retries of a request fit into the time limit of a check. */
const LONGEST_DELAY_S = 5;

export const retryDelayMs = (headers: IncomingHttpHeaders) => {
  const seconds = Number(headers['retry-after'] ?? 1);
  return 1_000 * (seconds >= 0 ? Math.min(seconds, LONGEST_DELAY_S) : 1);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
