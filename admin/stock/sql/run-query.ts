import { fork } from 'node:child_process';
import { Failure } from '../../text/failure.ts';
import type { Cell } from '../queries/table-query.ts';
import type { Query } from './select-rows.ts';

/** What the process says, each on a line. */
export type Message = { columns: string[] } | { rows: Cell[][] } | { isComplete: true } | { refusal: string };

type RunningQuery = { columns: string[]; rows: AsyncIterable<Cell[]> };

/**
 * Runs a query that somebody typed, in a process of its own, which is ended when nobody wants more rows. SQLite cannot be
 * interrupted otherwise.
 */
export const runQuery = async (query: Query): Promise<RunningQuery> => {
  const messages = readMessages(query);
  const first = await messages.next();
  if (first.done || !('columns' in first.value)) throw endedEarly();
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
    if (!isComplete) throw endedEarly();
  } finally {
    process.off('exit', kill);
    kill();
  }
}

/** Splits at `\n` only. node:readline also splits at U+2028, which a text in JSON may have. The lines of node:readline also end at U+2028, which a text may have. */
async function* linesOf(texts: AsyncIterable<string>) {
  let line: string[] = [];
  for await (const text of texts) {
    const [end = '', ...others] = text.split('\n');
    line.push(end);
    for (const other of others) {
      yield line.join('');
      line = [other];
    }
  }
}

const endedEarly = () => new Failure('The query ended early. It may have needed more memory than there is.');
