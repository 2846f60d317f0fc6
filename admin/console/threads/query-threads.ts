import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HTTPException } from 'hono/http-exception';
import { explain, Failure } from '../../text/failure.ts';
import type { StockRequest } from '../queries/questions.ts';
import type { Outcome } from './query-thread.ts';

/** As many as a page asks at once, so that a short query does not wait for a long one. */
const MAX_THREADS = 4;

type Options = {
  file: string;
  /** Called when SQLite cannot read the file. */
  onUnusable: () => void;
  maxThreads?: number;
};

/** Threads that query the file. Each has a connection, and one query at a time. */
export const createQueryThreads = ({ file, onUnusable, maxThreads = MAX_THREADS }: Options) => {
  const threads = new Set<Worker>();
  const idle: Worker[] = [];
  const waiting: PromiseWithResolvers<Worker>[] = [];

  const start = () => {
    const thread = new Worker(new URL('query-thread.ts', import.meta.url), { workerData: { file } });
    threads.add(thread);
    const drop = () => {
      if (!threads.delete(thread)) return;
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
      if (waiting.length > 0) waiting.shift()?.resolve(start());
    };
    thread.once('exit', drop);
    // The caller also gets the error.
    thread.once('error', drop);
    return thread;
  };

  const take = async (): Promise<Worker> => {
    const free = idle.pop();
    if (free) return free;
    if (threads.size < maxThreads) return start();
    const turn = Promise.withResolvers<Worker>();
    waiting.push(turn);
    return turn.promise;
  };

  const giveBack = (thread: Worker) => {
    if (!threads.has(thread)) return;
    const next = waiting.shift();
    if (next) next.resolve(thread);
    else idle.push(thread);
  };

  const toJson = (outcome: Outcome) => {
    if ('json' in outcome) return outcome.json;
    if ('refusal' in outcome) throw new Failure(outcome.refusal);
    if (outcome.isUnusable) onUnusable();
    throw new HTTPException(500, { message: outcome.failure });
  };

  return {
    /** The response in JSON. If the browser ends the request before its turn, nothing is asked. */
    ask: async (question: StockRequest, signal?: AbortSignal): Promise<string> => {
      const thread = await take();
      try {
        signal?.throwIfAborted();
        return toJson(await askThread(thread, question));
      } finally {
        giveBack(thread);
      }
    },

    /** Ends all threads. Later questions start new ones. */
    end: async () => {
      for (const turn of waiting.splice(0)) turn.reject(endedBefore('it was ended'));
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
};

const endedBefore = (why: string) =>
  new HTTPException(503, { message: `The query has no result (${why}). Load the page again.` });

const askThread = async (thread: Worker, question: StockRequest): Promise<Outcome> => {
  const settled = new AbortController();
  const { signal } = settled;
  const responded = once(thread, 'message', { signal });
  const ended = once(thread, 'exit', { signal });
  thread.postMessage(question);
  try {
    const [outcome]: Outcome[] = await Promise.race([responded, ended.then(() => [])]);
    if (outcome) return outcome;
    throw endedBefore('its thread ended');
  } catch (error) {
    throw error instanceof HTTPException ? error : endedBefore(explain(error));
  } finally {
    settled.abort();
  }
};
