import { once } from 'node:events';
import { explain } from '../../text/failure.ts';
import type { Cell } from '../queries/table-query.ts';
import { endWithParent } from './end-with-parent.ts';
import type { Message } from './run-query.ts';
import { type Query, selectRows } from './select-rows.ts';

const ROWS_AT_A_TIME = 100;

/** Waits for a slow reader. */
const say = async (message: Message) => {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain');
};

const run = async (query: Query) => {
  const { columns, rows } = selectRows(query);
  await say({ columns });
  let piece: Cell[][] = [];
  let isFirst = true;
  for (const row of rows) {
    piece.push(row);
    // The first row is shown at once.
    if (isFirst || piece.length === ROWS_AT_A_TIME) {
      await say({ rows: piece });
      piece = [];
      isFirst = false;
    }
  }
  await say({ rows: piece });
  await say({ isComplete: true });
};

endWithParent();
// Nobody wants more rows.
process.stdout.once('error', () => process.exit());
process.once('message', async (query: Query) => {
  try {
    await run(query);
  } catch (error) {
    await say({ refusal: explain(error) });
  } finally {
    process.disconnect?.();
  }
});
