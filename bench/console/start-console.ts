import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { StockState } from '../../admin/console/api.ts';

const MEMORY_EVERY_MS = 500;

/** The memory of a process and of those that it started, in MB. What several processes share counts once. Only Linux says so. */
const readMemoryMb = async (pid: number) => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = [pid, ...children.trim().split(' ')];
  const maps = await Promise.all(pids.map((each) => readFile(`/proc/${each}/smaps_rollup`, 'utf8')));
  const kilobytes = maps.map((map) => Number(/^Pss:\s+(\d+)/m.exec(map)?.[1]));
  return (kilobytes.reduce((sum, each) => sum + each, 0) * 1_024) / 1e6;
};

/** Starts a console with the session in the folder `data`. */
export const startServer = async (data: string) => {
  const child = fork(new URL('console-server.ts', import.meta.url), [data]);
  const [port] = await once(child, 'message');
  let mostMemoryMb = 0;
  const timer = setInterval(async () => {
    const memoryMb = await readMemoryMb(child.pid ?? 0).catch(() => 0);
    mostMemoryMb = Math.max(mostMemoryMb, memoryMb);
  }, MEMORY_EVERY_MS);
  const ask = async (path: string, body?: object) => {
    const startedAt = performance.now();
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, post);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} has status ${response.status}: ${text}`);
    return { ms: performance.now() - startedAt, text };
  };
  return {
    ask,
    readState: async (): Promise<StockState> => JSON.parse((await ask('state')).text),
    readBlockMs: async () => {
      child.send('block');
      return Number((await once(child, 'message'))[0]);
    },
    /** The most memory until now. */
    readMemoryMb: () => mostMemoryMb,
    stop: async () => {
      clearInterval(timer);
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

export type Server = Awaited<ReturnType<typeof startServer>>;
