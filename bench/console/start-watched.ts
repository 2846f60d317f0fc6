import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Health } from './watch-process.ts';

const WATCH = new URL('watch-process.ts', import.meta.url).href;

/** Starts a program as a process whose health can be read. */
export const startWatched = (file: string | URL, args: readonly string[], options: ForkOptions = {}) => {
  const env = { ...process.env, WATCHED_BY: String(process.pid), ...options.env };
  const child = fork(file, args, { ...options, execArgv: ['--import', WATCH], env });
  return {
    child,
    readHealth: async (): Promise<Health> => {
      child.send('health');
      return (await once(child, 'message'))[0];
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
};
