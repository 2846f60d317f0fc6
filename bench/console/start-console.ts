import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { StockState } from '../../admin/console/api.ts';
import { familyOf } from '../../test/support/processes.ts';

/** Starts a console with the session in the folder `data`. */
export const startServer = async (data: string) => {
  const child = fork(new URL('console-server.ts', import.meta.url), [data]);
  const [port] = await once(child, 'message');
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
    /** The most that each of the processes took, together. */
    readMemoryMb: () =>
      familyOf(child.pid ?? 0)
        .map(({ pid }) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        .reduce((sum, kilobytes) => sum + (Number(kilobytes) * 1_024) / 1e6, 0),
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

export type Server = Awaited<ReturnType<typeof startServer>>;
