import { fork } from 'node:child_process';
import { Failure } from '../../text/failure.ts';
import type { Cell } from '../queries/table-query.ts';
import type { Query } from './select-rows.ts';

type Options = {
  /** At most this many rows. */
  limit?: number;
  timeLimitMs?: number;
  signal?: AbortSignal;
};

/** What the process says, each on a line. */
export type Message = { columns: string[] } | { rows: Cell[][] } | { isCut: boolean } | { refusal: string };

type RunningQuery = {
  columns: string[];
  rows: AsyncIterable<Cell[]>;
  /** After the last row: there are more than the limit. */
  isCut: () => boolean;
};

/**
 * Runs a query that somebody typed, in a process of its own. It is ended with the signal, at the time limit, or when nobody
 * wants more rows. SQLite cannot be interrupted otherwise.
 */
export const runQuery = async (query: Query, options: Options = {}): Promise<RunningQuery> => {
  const messages = readMessages(query, options);
  const first = await messages.next();
  if (first.done || !('columns' in first.value)) throw endedEarly();
  let isCut = false;
  async function* rows() {
    for await (const message of messages) {
      if ('rows' in message) yield* message.rows;
      if ('isCut' in message) isCut = message.isCut;
    }
  }
  return { columns: first.value.columns, rows: rows(), isCut: () => isCut };
};

async function* readMessages(query: Query, { limit, timeLimitMs, signal }: Options): AsyncGenerator<Message> {
  signal?.throwIfAborted();
  const limits = [...(signal ? [signal] : []), ...(timeLimitMs ? [AbortSignal.timeout(timeLimitMs)] : [])];
  const end = AbortSignal.any(limits);
  const child = fork(new URL('query-process.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  end.addEventListener('abort', kill);
  process.once('exit', kill);
  let isComplete = false;
  try {
    child.send({ ...query, limit });
    if (child.stdout) {
      for await (const line of linesOf(child.stdout.setEncoding('utf8'))) {
        const message: Message = JSON.parse(line);
        if ('refusal' in message) throw new Failure(message.refusal);
        isComplete ||= 'isCut' in message;
        yield message;
      }
    }
    signal?.throwIfAborted();
    if (end.aborted && timeLimitMs)
      throw new Failure(`The query was ended after ${timeLimitMs / 1_000} seconds. Ask for less at a time.`);
    if (!isComplete) throw endedEarly();
  } finally {
    end.removeEventListener('abort', kill);
    process.off('exit', kill);
    kill();
  }
}

/** Line by line as JSON has them. The lines of node:readline also end at U+2028, which a text may have. */
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
