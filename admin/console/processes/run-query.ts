import type { Where } from '../../deployment/deployment.ts';
import type { Query } from '../../stock/sql/select-rows.ts';
import { Failure } from '../../text/failure.ts';
import { createProcess, MAX_BYTES } from './requests.ts';
import type { WorkerHandlers } from './worker.ts';

const ROWS_AT_A_TIME = 500;

/** Runs a query of a command. Node cannot interrupt SQLite, so the query has a process of its own. Call `end` when nobody wants more rows. */
export const runQuery = async (where: Where, query: Query) => {
  const data = { file: query.file, where, maxGigabytes: 0 };
  const onMemory = (bytes: number) => bytes > MAX_BYTES && end();
  const { ask, end } = createProcess<WorkerHandlers>('worker.ts', data, { ended: ENDED_EARLY, onMemory });
  const orFailure = <T>(response: Promise<T>) =>
    response.catch((error: Error) => {
      end();
      throw new Failure(error.message);
    });
  async function* rows() {
    // The first row is shown at once.
    for (let count = 1; ; count = ROWS_AT_A_TIME) {
      const found = await orFailure(ask('nextRows', count));
      if (found.length === 0) return;
      yield* found;
    }
  }
  return { columns: await orFailure(ask('openQuery', query)), rows: rows(), end };
};

const ENDED_EARLY = {
  status: 500,
  message:
    'The query ended early. It needed more than 1 GB of memory, or its process was killed. Ask for less at a time.',
} as const;
