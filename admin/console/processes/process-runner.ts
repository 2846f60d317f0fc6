import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { HTTPException } from 'hono/http-exception';
import type { ErrorResponse } from '../error-response.ts';
import type { Result, Work } from './console-process.ts';

/** Runs each piece of work in its own process, which can be ended midway and has its own memory. */
export const createRunner = () => {
  const processes = new Set<ChildProcess>();
  return {
    run: async (work: Work, signal: AbortSignal, execArgv: string[] = []) => {
      const child = fork(new URL('console-process.ts', import.meta.url), {
        execArgv,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        killSignal: 'SIGKILL',
        signal,
      });
      processes.add(child);
      child.once('exit', () => processes.delete(child));
      // `once` below rejects with the first error. Without this listener, a later error would end the console.
      child.on('error', () => {});
      const ended = once(child, 'exit').then((): [Result] => [{ error: ENDED_EARLY }]);
      child.send(work);
      const [result = { error: ENDED_EARLY }]: Result[] = await Promise.race([once(child, 'message'), ended]);
      if (!('error' in result)) return result;
      const { status, message } = result.error;
      throw new HTTPException(status, { message });
    },
    end: () => {
      for (const child of processes) child.kill('SIGKILL');
    },
  };
};

const ENDED_EARLY: ErrorResponse = {
  status: 500,
  message: 'The process ended early. It may have needed more memory than there is.',
};
