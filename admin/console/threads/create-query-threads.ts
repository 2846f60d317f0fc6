import { HTTPException } from 'hono/http-exception';
import type { StockRequest } from '../queries/stock-requests.ts';
import { startThread, type Thread } from './thread-requests.ts';

/** A page sends at most four requests at once. */
const MAX_THREADS = 4;

type Options = {
  file: string;
  /** Called when SQLite cannot read the file. */
  onUnusable: () => void;
  maxThreads?: number;
};

type QueryThread = Thread<StockRequest>;

/** The threads query the file. Each thread has its own connection, and runs one query at a time. */
export const createQueryThreads = ({ file, onUnusable, maxThreads = MAX_THREADS }: Options) => {
  const threads = new Set<QueryThread>();
  const idle: QueryThread[] = [];
  const waiting: PromiseWithResolvers<QueryThread>[] = [];

  const start = () => {
    const thread: QueryThread = startThread('query-thread.ts', {
      workerData: { file },
      describeEnd,
      onEnd: () => drop(thread),
      onUnusable,
    });
    threads.add(thread);
    return thread;
  };

  const drop = (thread: QueryThread) => {
    threads.delete(thread);
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    if (waiting.length > 0) waiting.shift()?.resolve(start());
  };

  const take = async (): Promise<QueryThread> => {
    const free = idle.pop();
    if (free) return free;
    if (threads.size < maxThreads) return start();
    const turn = Promise.withResolvers<QueryThread>();
    waiting.push(turn);
    return turn.promise;
  };

  const giveBack = (thread: QueryThread) => {
    if (!threads.has(thread)) return;
    const next = waiting.shift();
    if (next) next.resolve(thread);
    else idle.push(thread);
  };

  return {
    /** The response in JSON. If the browser ends a request before its turn, no thread gets the request. */
    ask: async (request: StockRequest, signal?: AbortSignal): Promise<string> => {
      const thread = await take();
      try {
        signal?.throwIfAborted();
        return await thread.ask(request);
      } finally {
        giveBack(thread);
      }
    },

    /** Ends all threads. Later requests start new threads. */
    end: async () => {
      for (const turn of waiting.splice(0)) turn.reject(new HTTPException(503, { message: NOT_BEGUN }));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
};

const NOT_BEGUN =
  'The stock could not be read, because it was closed before the request began. Load the page again.';

const describeEnd = (why: string) =>
  `The stock could not be read, because a thread ended (${why}). Load the page again.`;
