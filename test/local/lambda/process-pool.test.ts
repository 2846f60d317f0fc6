import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProcessPool } from '../../../local/lambda/process-pool.ts';

/** Processes that become ready, fail and end when a test says so. */
const startPool = (maxStarting = 2) => {
  const processes: FakeProcess[] = [];
  const pool = createProcessPool<FakeProcess>((onExit) => {
    const process = new FakeProcess(onExit);
    processes.push(process);
    return process;
  }, maxStarting);
  const acquired: (FakeProcess | undefined)[] = [];
  return {
    ...pool,
    processes,
    acquired,
    acquire: async (count: number) => {
      for (let left = count; left > 0; left -= 1)
        void pool.acquire().then((process) => acquired.push(process));
      await vi.advanceTimersByTimeAsync(0);
    },
    makeReady: async (...started: (FakeProcess | undefined)[]) => {
      for (const process of started) process?.becomeReady();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
};

class FakeProcess {
  isAlive = true;
  readonly #start = Promise.withResolvers<void>();
  readonly #onExit: (ended: FakeProcess) => void;
  readonly readyOrEnded = this.#start.promise;
  becomeReady = this.#start.resolve;

  constructor(onExit: (ended: FakeProcess) => void) {
    this.#onExit = onExit;
  }

  stop() {
    this.isAlive = false;
  }

  end() {
    this.stop();
    this.becomeReady();
    this.#onExit(this);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('of many events at once, a few start a process, and the others are served in turn by the first that is free', async () => {
  const { acquire, makeReady, release, processes, acquired } = startPool();
  await acquire(60);
  expect(processes).toHaveLength(2);
  const [first, second] = processes;
  await makeReady(second);
  expect([acquired, processes.length]).toEqual([[second], 3]);
  for (let served = 1; served < 60; served += 1) {
    if (second) release(second);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(acquired).toEqual(Array(60).fill(second));
  await makeReady(first, processes[2]);
  expect(processes).toHaveLength(3);
});

test('a process serves one event at a time, and a function has at most 16', async () => {
  const { acquire, makeReady, processes, acquired } = startPool(100);
  await acquire(20);
  await makeReady(...processes);
  expect(acquired).toEqual(processes);
  expect(new Set(processes).size).toBe(16);
  processes[0]?.end();
  await makeReady(processes[16]);
  expect(acquired).toHaveLength(17);
});

test('the process that was used last serves first, and one that is idle for a minute ends', async () => {
  const { acquire, makeReady, release, processes, acquired } = startPool();
  await acquire(2);
  await makeReady(...processes);
  const [busy, unused] = processes;
  if (unused) release(unused);
  if (busy) release(busy);
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(19_999);
    await acquire(1);
    if (busy) release(busy);
  }
  expect(acquired).toEqual([busy, unused, busy, busy, busy]);
  await vi.advanceTimersByTimeAsync(2);
  expect([busy?.isAlive, unused?.isAlive]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect([busy?.isAlive, unused?.isAlive]).toEqual([true, false]);
  await acquire(2);
  expect([acquired.length, processes.length]).toEqual([6, 3]);
});

test('a start that fails serves one event, which gets its error, and a process that ends while idle serves none', async () => {
  const { acquire, makeReady, release, processes, acquired } = startPool(1);
  await acquire(2);
  processes[0]?.end();
  await makeReady();
  await makeReady(processes[1]);
  expect([acquired, processes.length]).toEqual([processes, 2]);
  const [, second] = processes;
  if (second) release(second);
  second?.end();
  await acquire(1);
  expect([acquired.length, processes.length]).toEqual([2, 3]);
});

test('after the stop, no event has a process, and none starts', async () => {
  const { acquire, stop, processes, acquired } = startPool();
  await acquire(3);
  stop();
  await acquire(1);
  expect([acquired, processes.map(({ isAlive }) => isAlive)]).toEqual([Array(4), [false, false]]);
});
