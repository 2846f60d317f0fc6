import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { HTTPException } from 'hono/http-exception';
import { MAX_BYTES } from '../../stock/sql/watch-process.ts';
import type { ErrorResponse } from '../error-response.ts';
import type { Result, Work } from './console-process.ts';

/** The memory that all processes together may take. Some is left for what they take until the next report. */
const MAX_BYTES_TOGETHER = 1.6 * 2 ** 30;

type Running = { child: ChildProcess; bytes: number; isTooLarge: boolean };

/** Runs each piece of work in its own process, which can be ended midway and has its own memory. */
export const createRunner = () => {
  const running = new Set<Running>();

  /** A process ends itself if it takes too much alone. */
  const limitMemory = (reporting: Running) => {
    if (reporting.bytes > MAX_BYTES) reporting.isTooLarge = true;
    const all = [...running];
    // A process that is ending soon gives its memory back.
    if (all.some(({ isTooLarge }) => isTooLarge)) return;
    const [largest] = all.toSorted((a, b) => b.bytes - a.bytes);
    const together = all.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!largest || together < MAX_BYTES_TOGETHER) return;
    largest.isTooLarge = true;
    largest.child.kill('SIGKILL');
  };

  return {
    run: async (work: Work, signal: AbortSignal, execArgv: string[] = []) => {
      const child = fork(new URL('console-process.ts', import.meta.url), {
        execArgv,
        serialization: 'advanced',
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        killSignal: 'SIGKILL',
        signal,
      });
      const entry: Running = { child, bytes: 0, isTooLarge: false };
      running.add(entry);
      child.stdout?.setEncoding('utf8').on('data', (reports: string) => {
        entry.bytes = Number(reports.trim().split('\n').at(-1));
        limitMemory(entry);
      });
      // `once` below rejects with the first error. Without this listener, a later error would end the console.
      child.on('error', () => {});
      child.once('close', () => running.delete(entry));
      // `close` comes after the last report.
      const ended = once(child, 'close').then((): [Result] => [
        { error: entry.isTooLarge ? TOO_LARGE : ENDED_EARLY },
      ]);
      child.send(work);
      const [result = { error: ENDED_EARLY }]: Result[] = await Promise.race([once(child, 'message'), ended]);
      if (!('error' in result)) return result;
      const { status, message } = result.error;
      throw new HTTPException(status, { message });
    },
    end: () => {
      for (const { child } of running) child.kill('SIGKILL');
    },
  };
};

const TOO_LARGE: ErrorResponse = {
  status: 400,
  message:
    'This needed too much memory, so it was ended. It may take 1 GB, and 2 GB together with what runs beside it. Ask for less at a time.',
};

const ENDED_EARLY: ErrorResponse = {
  status: 500,
  message: 'The process ended early. It may have needed more memory than there is.',
};
