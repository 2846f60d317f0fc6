import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../stock/database/stock-file.ts';
import { Failure } from '../../text/failure.ts';
import type { QueryWork } from './ask-sql.ts';
import type { Work } from './console-process.ts';
import { createRunner } from './process-runner.ts';
import type { DownloadWork } from './write-download.ts';

type DownloadedFile = { handle: FileHandle; notices: readonly string[] };

/** The limit of a query on the page. A download has no limit. */
const TIME_LIMIT_MS = 60_000;

/** More processes would use up the memory of the machine. */
const MAX_PROCESSES = 4;

type Options = Pick<DownloadWork, 'stockFile' | 'where'> & Partial<Pick<DownloadWork, 'maxGigabytes'>>;

/** Starts a process for each file to download and for each query that a person wrote. */
export const createProcesses = ({ stockFile, where, maxGigabytes = 1 }: Options) => {
  const { run, end } = createRunner();
  const folders = new Set<string>();
  let freePlaces = MAX_PROCESSES;
  const waiting: (() => void)[] = [];

  const runInTurn = async (work: Work, signal: AbortSignal) => {
    if (freePlaces > 0) freePlaces -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await run(work, signal);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else freePlaces += 1;
    }
  };

  return {
    /**
     * Opens the file when it is complete, so that the browser gets a message instead of half a file if the work fails.
     * Removes the name of the open file, so that nothing stays on the machine.
     */
    openDownload: async (
      work: Pick<DownloadWork, 'download' | 'format'>,
      signal: AbortSignal,
    ): Promise<DownloadedFile> => {
      const folder = makeTemporaryFolder();
      folders.add(folder);
      const out = join(folder, 'download');
      try {
        const result = await runInTurn({ ...work, stockFile, where, maxGigabytes, out }, signal);
        return { handle: await open(out), notices: 'notices' in result ? result.notices : [] };
      } finally {
        rmSync(folder, { recursive: true, force: true });
        folders.delete(folder);
      }
    },
    /** The response in JSON. */
    runQuery: async (work: Omit<QueryWork, 'stockFile'>, signal: AbortSignal): Promise<string> => {
      const limit = AbortSignal.timeout(TIME_LIMIT_MS);
      try {
        const result = await runInTurn({ ...work, stockFile }, AbortSignal.any([signal, limit]));
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
