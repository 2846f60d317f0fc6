import { expect } from 'vitest';
import { snapshotReader } from '../../admin/store/snapshot-reader.ts';
import type { Disturbance } from '../../local/services/aws-proxy.ts';
import type { Answer as Untimed } from '../support/http-client.ts';
import type { LocalRun } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import type { TableReader } from '../support/table-reader.ts';

/** What happens to a call, and whether its service still executes it although the answer does not come in time. */
export type Fault = Pick<Disturbance, 'kind' | 'delayMs'> & { isExecuted: boolean };

/** The delay has to be longer than the caller waits. */
export const faultsWith = (delayMs: number): [string, Fault][] => [
  ['throttled', { kind: 'throttle', isExecuted: false }],
  ['answered with a 5xx', { kind: 'error', isExecuted: false }],
  ['cut', { kind: 'cut', isExecuted: false }],
  ['executed, but its answer is lost', { kind: 'lose', isExecuted: true }],
  ['answered too late', { kind: 'delay', delayMs, isExecuted: true }],
];

export const disturbanceOf = (
  { isExecuted: _, ...fault }: Fault,
  action: string,
  after: number,
): Disturbance => ({ ...fault, action, after });

/** For tests that share a run: a run has one set of disturbances at a time. */
export const IN_TURN = { concurrent: false };

export type Answer = Untimed & { seconds: number };

const timed = async (request: Promise<Untimed>): Promise<Answer> => {
  const started = performance.now();
  const answer = await request;
  return { ...answer, seconds: (performance.now() - started) / 1_000 };
};

export const get = (run: LocalRun, path: string, authorization?: string) =>
  timed(run.get(path, authorization));

export const post = (run: LocalRun, path: string, body: object | string) => timed(run.post(path, body));

/** The gateway answers within this time, whatever goes wrong behind it. */
const expectInTime = ({ seconds }: Answer) => expect(seconds).toBeLessThan(29);

export const expectOk = (answer: Answer) => {
  expectInTime(answer);
  expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true]);
};

const expectTimelyProblem = (answer: Answer, status: number) => {
  expectInTime(answer);
  expectProblem(answer, status);
};

export const expectUnavailable = (answer: Answer) => {
  expectTimelyProblem(answer, 503);
  expect(answer.headers['retry-after']).toBe('5');
};

export const expectCrashed = (answer: Answer) => expectTimelyProblem(answer, 502);
export const expectFailed = (answer: Answer) => expectTimelyProblem(answer, 500);

/** The client's name when the settings name none. */
export const CLIENT = 'warehouse';

/** The service's own reader finds all entries of a batch or nothing. Batches up to an id can be left out. */
export const expectNoHalf = async (tables: TableReader, sizes: number[], after?: string) => {
  const reader = snapshotReader(tables.client, tables.names['BalanceSnapshots'] ?? '', new Date());
  const visible = await tables.snapshotIds(CLIENT, after);
  const others = await Promise.all([2, 3, 4].map((part) => tables.partIds(CLIENT, part, after)));
  for (const id of new Set([...visible, ...others.flat()])) {
    const snapshot = await reader.read(CLIENT, id);
    if (visible.includes(id)) expect(sizes).toContain(snapshot?.entries.length);
    else expect(snapshot).toBeUndefined();
  }
};
