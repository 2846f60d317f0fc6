import type { ListName } from '../../../shared/tables.ts';
import type { FileContent, ReadOptions } from '../../lists/files/read-rows.ts';
import { MAX_BYTES, watchProcess } from '../../stock/sql/watch-process.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';
import type { QueryWork } from './ask-sql.ts';
import type { DownloadWork } from './write-download.ts';

/** Reads the rows of a file to import. */
export type ImportWork = { bytes: Uint8Array; list: ListName; options: ReadOptions };
export type Work = DownloadWork | QueryWork | ImportWork;
export type Result =
  | { notices: readonly string[] }
  | { json: string }
  | { content: FileContent }
  | { error: ErrorResponse };

/** Loads only the code of this work, because to load all takes longer than most queries. */
const doWork = async (work: Work): Promise<Result> => {
  try {
    if ('parameters' in work) {
      const { askSql } = await import('./ask-sql.ts');
      return { json: askSql(work) };
    }
    if ('download' in work) {
      const { writeDownload } = await import('./write-download.ts');
      return { notices: await writeDownload(work) };
    }
    const { readRows } = await import('../../lists/files/read-rows.ts');
    return { content: await readRows(work.bytes, work.list, work.options) };
  } catch (error) {
    return { error: toErrorResponse(error) };
  }
};

process.once('message', async (work: Work) => {
  // The heap of a process that reads a file is limited in another way.
  watchProcess('bytes' in work ? {} : { maxBytes: MAX_BYTES, reports: true });
  process.send?.(await doWork(work), () => process.disconnect());
});
// The console has got the result, or has ended.
process.once('disconnect', () => process.exit());
