import { once } from 'node:events';
import { explain } from '../../text/failure.ts';
import type { Cell } from '../queries/read-table.ts';
import type { Message } from './run-query.ts';
import { type Query, selectRows } from './select-rows.ts';
import { MAX_BYTES, watchProcess } from './watch-process.ts';

const ROWS_AT_A_TIME = 100;

const send = async (message: Message) => {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain');
};

const run = async (query: Query) => {
  const { columns, rows } = selectRows(query);
  await send({ columns });
  let waitingRows: Cell[][] = [];
  let isFirst = true;
  for (const row of rows) {
    waitingRows.push(row);
    // The first row is shown at once.
    if (isFirst || waitingRows.length === ROWS_AT_A_TIME) {
      await send({ rows: waitingRows });
      waitingRows = [];
      isFirst = false;
    }
  }
  await send({ rows: waitingRows });
  await send({ isComplete: true });
};

watchProcess({ maxBytes: MAX_BYTES });
// Writing fails when the reader wants no more rows.
process.stdout.once('error', () => process.exit());
process.once('message', async (query: Query) => {
  try {
    await run(query);
  } catch (error) {
    await send({ refusal: explain(error) });
  } finally {
    process.disconnect?.();
  }
});
