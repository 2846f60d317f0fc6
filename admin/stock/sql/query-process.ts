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

const run = async ({ limit = Number.POSITIVE_INFINITY, ...query }: Query & { limit?: number }) => {
  const { columns, rows } = selectRows(query);
  await say({ columns });
  let piece: Cell[][] = [];
  let count = 0;
  let isCut = false;
  for (const row of rows) {
    isCut = count === limit;
    if (isCut) break;
    count += 1;
    piece.push(row);
    // The first row is shown at once.
    if (count === 1 || piece.length === ROWS_AT_A_TIME) {
      await say({ rows: piece });
      piece = [];
    }
  }
  await say({ rows: piece });
  await say({ isCut });
};

endWithParent();
process.once('message', async (query: Query & { limit?: number }) => {
  try {
    await run(query);
  } catch (error) {
    await say({ refusal: explain(error) });
  } finally {
    process.disconnect?.();
  }
});
