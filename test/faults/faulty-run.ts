import { expect } from 'vitest';
import { snapshotReader } from '../../admin/store/snapshot-reader.ts';
import type { Answer as Untimed } from '../support/http-client.ts';
import type { LocalRun } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import type { TableReader } from '../support/table-reader.ts';

export type Answer = Untimed & { seconds: number };

const timed = async (asking: Promise<Untimed>): Promise<Answer> => {
  const started = performance.now();
  const answer = await asking;
  return { ...answer, seconds: (performance.now() - started) / 1_000 };
};

export const get = (run: LocalRun, path: string, authorization?: string) =>
  timed(run.get(path, authorization));

export const post = (run: LocalRun, path: string, body: object | string) => timed(run.post(path, body));

/** What the gateway promises of every answer, whatever has gone wrong behind it. */
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

/** The only client of the runs: settings that name none have one of this name. */
export const CLIENT = 'warehouse';

/** By the service's own reader: of a batch of which there is any part, it finds either all entries or nothing. */
export const expectNoHalf = async (tables: TableReader, sizes: number[]) => {
  const reader = snapshotReader(tables.client, tables.names['BalanceSnapshots'] ?? '');
  const visible = await tables.snapshotIds(CLIENT);
  const others = await Promise.all([2, 3, 4].map((part) => tables.partIds(CLIENT, part)));
  for (const id of new Set([...visible, ...others.flat()])) {
    const read = await reader.read(CLIENT, id, new Date());
    if (visible.includes(id)) expect(sizes).toContain(read?.entries.length);
    else expect(read).toBeUndefined();
  }
};
