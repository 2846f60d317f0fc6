import { fork } from 'node:child_process';
import { Failure } from '../../text/failure.ts';
import type { Cell } from '../queries/read-table.ts';
import type { Query } from './select-rows.ts';

/** What the process of a query sends. Each message is one line. */
export type Message = { columns: string[] } | { rows: Cell[][] } | { isComplete: true } | { refusal: string };

/**
 * Runs a query that a person wrote. Node cannot interrupt SQLite, so the query has a process of its own. The process is killed
 * when nobody wants more rows.
 */
export const runQuery = async (query: Query) => {
  const messages = readMessages(query);
  const first = await messages.next();
  if (first.done || !('columns' in first.value)) throw earlyEnd();
  async function* rows() {
    for await (const message of messages) if ('rows' in message) yield* message.rows;
  }
  return { columns: first.value.columns, rows: rows() };
};

async function* readMessages(query: Query): AsyncGenerator<Message> {
  const child = fork(new URL('query-process.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let isComplete = false;
  try {
    child.send(query);
    if (child.stdout) {
      for await (const line of linesOf(child.stdout.setEncoding('utf8'))) {
        const message: Message = JSON.parse(line);
        if ('refusal' in message) throw new Failure(message.refusal);
        isComplete ||= 'isComplete' in message;
        yield message;
      }
    }
    if (!isComplete) throw earlyEnd();
  } finally {
    process.off('exit', kill);
    kill();
  }
}

/** Splits at `\n` only. node:readline also splits at U+2028, which a text in JSON may have. */
async function* linesOf(texts: AsyncIterable<string>) {
  let pieces: string[] = [];
  for await (const text of texts) {
    const [rest = '', ...nextLines] = text.split('\n');
    pieces.push(rest);
    for (const nextLine of nextLines) {
      yield pieces.join('');
      pieces = [nextLine];
    }
  }
}

const earlyEnd = () =>
  new Failure(
    'The query ended early. It needed more than 1 GB of memory, or its process was killed. Ask for less at a time.',
  );
