import { expect } from 'vitest';
import { snapshotReader } from '../../admin/store/snapshot-reader.ts';
import type { Disturbance } from '../../local/services/aws-proxy.ts';
import type { Answer } from '../support/http-client.ts';
import type { LocalRun } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import type { TableReader } from '../support/table-reader.ts';

/** What happens to a call, and whether AWS still executes it although the answer is late or lost. */
export type Fault = Pick<Disturbance, 'kind' | 'delayMs'> & { isExecuted: boolean };

/** The delay must be longer than the caller waits. */
export const faultsWith = (delayMs: number): [string, Fault][] => [
  ['throttled', { kind: 'throttle', isExecuted: false }],
  ['answered with a 5xx', { kind: 'error', isExecuted: false }],
  ['cut', { kind: 'cut', isExecuted: false }],
  ['executed with a lost answer', { kind: 'lose', isExecuted: true }],
  ['answered too late', { kind: 'delay', delayMs, isExecuted: true }],
];

export const disturbanceOf = (
  { isExecuted: _, ...fault }: Fault,
  action: string,
  after: number,
): Disturbance => ({ ...fault, action, after });

/** For tests that share a run, because a run has only one set of disturbances at a time. */
export const IN_TURN = { concurrent: false };

/** The gateway answers within 29 seconds, even if its function fails. */
const inTime = async (request: Promise<Answer>) => {
  const started = performance.now();
  const answer = await request;
  expect(performance.now() - started).toBeLessThan(29_000);
  return answer;
};

export const get = (run: LocalRun, path: string, authorization?: string) =>
  inTime(run.get(path, authorization));

export const post = (run: LocalRun, path: string, body: object | string) => inTime(run.post(path, body));

export const expectOk = (answer: Answer) =>
  expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true]);

export const expectUnavailable = (answer: Answer) => {
  expectProblem(answer, 503);
  expect(answer.headers['retry-after']).toBe('5');
};

/** The default client. */
export const CLIENT = 'warehouse';

/** Reads with the project's own reader, which throws if a batch is not complete. Batches up to an id can be left out. */
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
