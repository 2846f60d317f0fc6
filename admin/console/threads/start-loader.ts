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

/** Starts a thread that reads the service into the file. The first read starts at once. */
export const startLoader = ({ onUnusable, ...workerData }: Options) => {
  /** By a clock that nobody can set back. */
  let dueAt = 0;
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

  const load = async () => {
    dueAt = performance.now() + READ_EVERY_MS;
    isReading = true;
    failure = await failureOf(ask('load'));
    isReading = false;
  };

  const opened = ask('open');
  // Handles an error before anybody waits for `opened`.
  opened.catch(() => {});
  void load();

  return {
    /** Resolves when the file can be queried. */
    opened,
    /** Why the last read failed. */
    failure: () => failure,
    hasEnded: () => hasEnded,
    /** Reads what is new, unless a read is under way or recent. */
    readIfDue: () => {
      if (!isReading && performance.now() >= dueAt) void load();
    },
    /** The next `readIfDue` reads even if the last read is recent. */
    readAtNextRequest: () => {
      dueAt = 0;
    },
    /** Reads one part now, also while another read is under way. Ignores an error, because the next full read reports it. */
    readNow: async (part: 'lists' | 'clients') => void (await failureOf(ask(part))),
    end,
  };
};

const failureOf = (response: Promise<string>) =>
  response.then(
    () => undefined,
    (error: unknown) => toErrorResponse(error).message,
  );
