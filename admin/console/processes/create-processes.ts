import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HTTPException } from 'hono/http-exception';
import type { FileContent } from '../../lists/files/read-rows.ts';
import { Failure } from '../../text/failure.ts';
import type { FileWork, Result, Work } from './console-process.ts';
import type { DownloadWork } from './write-download.ts';

type File = { handle: FileHandle; notices: readonly string[] };

/** The limit of a query on the page. A download has none. */
const TIME_LIMIT_MS = 60_000;

/** More would use up the memory of the machine. Others wait. */
const AT_A_TIME = 4;

/** Of a file to import, which is one at a time. */
const LIMITED_HEAP = ['--max-old-space-size=1024'];

/**
 * Starts a process for each file, and for each query that somebody typed. It can be ended in the middle of a query, and its
 * memory is not the console's. A file is complete before it is sent, so that a failure is a sentence on the page and not half
 * of a file.
 */
export const createProcesses = (stock: Pick<DownloadWork, 'file' | 'where'>, timeLimitMs = TIME_LIMIT_MS) => {
  const processes = new Set<ChildProcess>();
  const folders = new Set<string>();

  let lastRead: Promise<unknown> = Promise.resolve();

  let free = AT_A_TIME;
  const waiting: (() => void)[] = [];

  const runInTurn = async (work: Work, signal: AbortSignal) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await run(work, signal);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };

  const run = async (work: Work, signal: AbortSignal, execArgv: string[] = []) => {
    const child = fork(new URL('console-process.ts', import.meta.url), {
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      killSignal: 'SIGKILL',
      signal,
    });
    processes.add(child);
    child.once('exit', () => processes.delete(child));
    // The caller also gets the error.
    child.on('error', () => {});
    const failed: Result = {
      failure: 'The process ended early. It may have needed more memory than there is.',
    };
    const ended = once(child, 'exit').then((): [Result] => [failed]);
    child.send(work);
    const [result = failed]: Result[] = await Promise.race([once(child, 'message'), ended]);
    if ('refusal' in result) throw new Failure(result.refusal);
    if ('failure' in result) throw new HTTPException(500, { message: result.failure });
    return result;
  };

  return {
    /** The file has no name any more, so nothing stays on the machine. */
    write: async (work: Pick<DownloadWork, 'download' | 'format'>, signal: AbortSignal): Promise<File> => {
      // For its owner only.
      const folder = mkdtempSync(join(tmpdir(), 'warehouse-console-'));
      folders.add(folder);
      const out = join(folder, 'download');
      try {
        const result = await runInTurn({ ...work, ...stock, out }, signal);
        return { handle: await open(out), notices: 'notices' in result ? result.notices : [] };
      } finally {
        rmSync(folder, { recursive: true, force: true });
        folders.delete(folder);
      }
    },
    /** The first rows in JSON. */
    query: async (sql: string, at: number | undefined, signal: AbortSignal): Promise<string> => {
      const limit = AbortSignal.timeout(timeLimitMs);
      try {
        const result = await runInTurn({ file: stock.file, sql, at }, AbortSignal.any([signal, limit]));
        return 'json' in result ? result.json : '';
      } catch (error) {
        if (!limit.aborted) throw error;
        throw new Failure(
          `The query was ended after ${timeLimitMs / 1_000} seconds. Ask for less at a time.`,
        );
      }
    },
    /** The rows of a file to import. */
    readFile: async (work: FileWork, signal: AbortSignal): Promise<FileContent> => {
      const reading = lastRead.then(() => run(work, signal, LIMITED_HEAP));
      lastRead = reading.catch(() => {});
      const result = await reading;
      return 'content' in result ? result.content : { rows: new Map(), notices: [] };
    },
    end: () => {
      for (const child of processes) child.kill('SIGKILL');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
};
