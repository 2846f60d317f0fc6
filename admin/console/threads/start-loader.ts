import { Worker } from 'node:worker_threads';
import { HTTPException } from 'hono/http-exception';
import type { Where } from '../../deployment/deployment.ts';
import { explain } from '../../text/failure.ts';
import type { LoaderRequest, LoaderResult } from './loader-thread.ts';

const READ_EVERY_MS = 30_000;

type Options = {
  file: string;
  where: Where;
  /** Reads everything again. */
  isFresh: boolean;
  /** Called when SQLite cannot read the file. */
  onUnusable: () => void;
};

/** A thread that reads the service into the file. It starts with a read. */
export const startLoader = ({ onUnusable, ...workerData }: Options) => {
  const thread = new Worker(new URL('loader-thread.ts', import.meta.url), { workerData });
  const opened = Promise.withResolvers<void>();
  const listReads: (() => void)[] = [];
  let startedAt = 0;
  let isReading = false;
  let hasEnded = false;
  let failure: string | undefined;

  const ask = (request: LoaderRequest) => thread.postMessage(request);

  const start = () => {
    startedAt = Date.now();
    isReading = true;
    ask('load');
  };

  const end = (why: string) => {
    if (hasEnded) return;
    hasEnded = true;
    failure = `The thread that reads the service has ended (${why}). It starts again.`;
    opened.reject(new HTTPException(503, { message: failure }));
    for (const resolve of listReads.splice(0)) resolve();
  };

  thread.on('message', (result: LoaderResult) => {
    if (result.kind === 'opened') opened.resolve();
    if (result.kind === 'lists') listReads.shift()?.();
    if (result.kind === 'load') {
      isReading = false;
      failure = result.failure;
    }
    if (result.isUnusable) onUnusable();
  });
  thread.once('error', (error) => end(explain(error)));
  thread.once('exit', () => end('without a reason'));
  // Nobody may wait for it yet.
  opened.promise.catch(() => {});
  start();

  return {
    /** Settles when the file can be queried. */
    opened: opened.promise,
    /** Why the last read failed. */
    failure: () => failure,
    hasEnded: () => hasEnded,
    /** Reads what is new if that is due. A page asks for it again and again. */
    readIfDue: () => {
      if (!isReading && Date.now() - startedAt >= READ_EVERY_MS) start();
    },
    /** The next request starts a read, however recent the last one is. */
    readAtNextRequest: () => {
      startedAt = 0;
    },
    /** Reads the lists now, also while another read is under way. */
    readLists: (): Promise<void> =>
      new Promise((resolve) => {
        if (hasEnded) return resolve();
        listReads.push(resolve);
        ask('lists');
      }),
    end: () => thread.terminate(),
  };
};
