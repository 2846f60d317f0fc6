import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../text/failure.ts';
import type { QueryWork } from './ask-sql.ts';
import type { Work } from './console-process.ts';
import { createRunner } from './process-runner.ts';
import type { DownloadWork } from './write-download.ts';

type File = { handle: FileHandle; notices: readonly string[] };

/** The limit of a query on the page. A download has none. */
const TIME_LIMIT_MS = 60_000;

/** More would use up the memory of the machine. Others wait. */
const AT_A_TIME = 4;

/**
 * A process for each file to download, and for each query that a person wrote. A file is complete before it is sent, so that a
 * failure is a sentence on the page and not half of a file.
 */
export const createProcesses = (stock: Pick<DownloadWork, 'file' | 'where'>) => {
  const { run, end } = createRunner();
  const folders = new Set<string>();
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
    /** The response in JSON. */
    query: async (request: Omit<QueryWork, 'file'>, signal: AbortSignal): Promise<string> => {
      const limit = AbortSignal.timeout(TIME_LIMIT_MS);
      try {
        const result = await runInTurn({ ...request, file: stock.file }, AbortSignal.any([signal, limit]));
        return 'json' in result ? result.json : '';
      } catch (error) {
        if (!limit.aborted) throw error;
        throw new Failure(
          `The query was ended after ${TIME_LIMIT_MS / 1_000} seconds. Ask for less at a time.`,
        );
      }
    },
    end: () => {
      end();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
};
