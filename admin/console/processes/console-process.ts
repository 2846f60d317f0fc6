import type { ListName } from '../../../shared/tables.ts';
import type { FileContent, ReadOptions } from '../../lists/files/read-rows.ts';
import { endWithParent } from '../../stock/sql/end-with-parent.ts';
import { type ErrorResponse, toErrorResponse } from '../error-response.ts';
import { askSql, type QueryWork } from './ask-sql.ts';
import { type DownloadWork, writeDownload } from './write-download.ts';

/** A file to import. */
export type FileWork = { bytes: Uint8Array; list: ListName; options: ReadOptions };
export type Work = DownloadWork | QueryWork | FileWork;
export type Result =
  | { notices: readonly string[] }
  | { json: string }
  | { content: FileContent }
  | { error: ErrorResponse };

const work = async (given: Work): Promise<Result> => {
  try {
    if ('parameters' in given) return { json: askSql(given) };
    if ('download' in given) return { notices: await writeDownload(given) };
    const { readRows } = await import('../../lists/files/read-rows.ts');
    return { content: await readRows(given.bytes, given.list, given.options) };
  } catch (error) {
    return { error: toErrorResponse(error) };
  }
};

process.once('message', async (given: Work) => {
  process.send?.(await work(given), () => process.disconnect());
});
// The console has ended.
process.once('disconnect', () => process.exit());
endWithParent();
