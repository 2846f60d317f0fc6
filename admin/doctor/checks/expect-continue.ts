import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../../shared/operations.ts';
import { batchOf, jsonOf } from '../bodies.ts';
import type { Check } from '../check.ts';
import { type Answer, answerTo, openRequest } from '../exchange.ts';
import { answered, expectSnapshot } from '../expectations.ts';
import { note, ok, Wrong } from '../outcome.ts';
import type { ProbeClient } from '../probe-client.ts';

/** As long as curl waits, before it sends the body all the same. */
const PATIENCE_MS = 1_000;
const ENTRIES = 200;

const AT_THE_CLIENT = "at the client: curl -H 'Expect:', .NET Expect100Continue=false";

export const expectContinue: Check = {
  name: 'expect-continue',
  signsIn: true,
  writes: { snapshots: 1 },
  run: async (visit) => {
    const told = await visit.retryThrottled(() => handShake(visit));
    const { continuedAfter } = told;
    if (told.status === 417) throw new Wrong(answered(told), `switch it off ${AT_THE_CLIENT}`);
    expectSnapshot(told, ENTRIES, `if batch-21kb is ok, switch it off ${AT_THE_CLIENT}`);
    if (continuedAfter !== undefined) return ok(`100 Continue after ${continuedAfter} ms, then 200`);
    return note(
      'no 100 Continue in 1 s, which each POST of curl and .NET then waits; 200',
      `switch it off ${AT_THE_CLIENT}`,
    );
  },
};

/** The body waits for the word to go on, for an answer, or for a second, whichever comes first. */
const handShake = async (visit: ProbeClient) => {
  const { method, path } = operations['post-material-stock-balance'];
  const body = jsonOf(batchOf(ENTRIES));
  const headers = visit.headersOf({ method, path, body, headers: { Expect: '100-continue' } });
  const started = performance.now();
  // Headers with Expect go out at once.
  const request = openRequest(visit.url(path), { method, headers, signal: visit.signal });
  const answer = visit.heard(method, answerTo(request));
  const continuedAfter = await waitToGoOn(request, answer, started);
  request.end(body);
  return { ...visit.tell(method, path, await answer, started), continuedAfter };
};

const waitToGoOn = async (request: ClientRequest, answer: Promise<Answer>, started: number) => {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(request, 'continue', { signal }).then(() => Math.round(performance.now() - started)),
      answer.then(() => undefined),
      sleep(PATIENCE_MS, undefined, { signal }),
    ]);
  } finally {
    over.abort();
  }
};
