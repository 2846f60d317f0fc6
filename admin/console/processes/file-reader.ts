import type { FileContent } from '../../lists/files/read-rows.ts';
import type { ImportWork } from './console-process.ts';
import { createRunner } from './process-runner.ts';

const LIMITED_HEAP = ['--max-old-space-size=1024'];

/** Reads the rows of files to import. Reads one file at a time, because a large file needs much memory. */
export const createFileReader = () => {
  const { run } = createRunner();
  let lastRead: Promise<unknown> = Promise.resolve();
  return async (work: ImportWork, signal: AbortSignal): Promise<FileContent> => {
    const read = lastRead.then(() => run(work, signal, LIMITED_HEAP));
    lastRead = read.catch(() => {});
    const result = await read;
    return 'content' in result ? result.content : { rows: new Map(), notices: [] };
  };
};

export type ReadFile = ReturnType<typeof createFileReader>;
