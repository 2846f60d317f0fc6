import type { Where } from '../../deployment/deployment.ts';
import { toErrorResponse } from '../error-response.ts';
import type { LoaderRequest } from './loader-thread.ts';
import { startThread } from './thread-requests.ts';

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
  let startedAt = 0;
  let isReading = false;
  let hasEnded = false;
  let failure: string | undefined;

  const { ask, end } = startThread<LoaderRequest>('loader-thread.ts', {
    workerData,
    describeEnd: (why) => `The thread that reads the service has ended (${why}). It starts again.`,
    onEnd: () => {
      hasEnded = true;
    },
    onUnusable,
  });

  const start = async () => {
    startedAt = Date.now();
    isReading = true;
    failure = await failureOf(ask('load'));
    isReading = false;
  };

  const opened = ask('open');
  // Nobody may wait for it yet.
  opened.catch(() => {});
  void start();

  return {
    /** Settles when the file can be queried. */
    opened,
    /** Why the last read failed. */
    failure: () => failure,
    hasEnded: () => hasEnded,
    /** Reads what is new if that is due. A page asks for it again and again. */
    readIfDue: () => {
      if (!isReading && Date.now() - startedAt >= READ_EVERY_MS) void start();
    },
    /** The next request starts a read, however recent the last one is. */
    readAtNextRequest: () => {
      startedAt = 0;
    },
    /** Reads a part now, also while another read is under way. A failure is that of the next read, too. */
    readNow: async (part: 'lists' | 'clients') => void (await failureOf(ask(part))),
    end,
  };
};

const failureOf = (asked: Promise<string>) =>
  asked.then(
    () => undefined,
    (error: unknown) => toErrorResponse(error).message,
  );
