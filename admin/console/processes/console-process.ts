import { endWithParent } from '../../stock/sql/end-with-parent.ts';
import { explain, Failure } from '../../text/failure.ts';
import { askSql } from './ask-sql.ts';
import { type DownloadWork, writeDownload } from './write-download.ts';

export type Work = DownloadWork | { file: string; sql: string; at: number | undefined };
export type Result =
  | { notices: readonly string[] }
  | { json: string }
  | { refusal: string }
  | { failure: string };

const work = async (given: Work): Promise<Result> => {
  try {
    return 'sql' in given ? { json: askSql(given) } : { notices: await writeDownload(given) };
  } catch (error) {
    return error instanceof Failure ? { refusal: error.message } : { failure: explain(error) };
  }
};

process.once('message', async (given: Work) => {
  process.send?.(await work(given), () => process.disconnect());
});
// The console has ended.
process.once('disconnect', () => process.exit());
endWithParent();
