import { availableParallelism } from 'node:os';

type PooledProcess = {
  readonly readyOrEnded: Promise<unknown>;
  readonly isAlive: boolean;
  stop(): void;
};

/** Further events wait until a process is free. */
const MAX_PROCESSES = 16;

/** A start uses a processor for a second. More starts at once would delay every request beyond its time limit. */
const MAX_STARTING = availableParallelism();

const IDLE_MS = 60_000;

/** The processes of one function. `start` returns a process, and calls `onExit` when this process has ended. */
export const createProcessPool = <T extends PooledProcess>(
  start: (onExit: (ended: T) => void) => T,
  maxStarting = MAX_STARTING,
) => {
  const processes = new Set<T>();
  /** Each process has the timer that ends it. The process that was used last serves first, so the others can end. */
  const idleProcesses = new Map<T, NodeJS.Timeout>();
  const waiting: ((process: T | undefined) => void)[] = [];
  let startingCount = 0;
  let isStopped = false;

  const markBusy = (process: T) => {
    clearTimeout(idleProcesses.get(process));
    idleProcesses.delete(process);
  };

  /** An event takes the first process that is free, even if the event has caused the start of another process. */
  const serveWaiting = () => {
    for (const process of [...idleProcesses.keys()].reverse()) {
      if (waiting.length === 0) return;
      markBusy(process);
      waiting.shift()?.(process);
    }
    while (waiting.length > startingCount && startingCount < maxStarting && processes.size < MAX_PROCESSES)
      void startProcess();
  };

  const startProcess = async () => {
    startingCount += 1;
    const process = start((ended) => {
      processes.delete(ended);
      markBusy(ended);
      serveWaiting();
    });
    processes.add(process);
    await process.readyOrEnded;
    startingCount -= 1;
    // If the start has failed, a waiting event gets the error.
    if (!process.isAlive) waiting.shift()?.(process);
    release(process);
  };

  const release = (process: T) => {
    const end = () => {
      markBusy(process);
      process.stop();
    };
    if (process.isAlive) idleProcesses.set(process, setTimeout(end, IDLE_MS).unref());
    serveWaiting();
  };

  return {
    /** Resolves with undefined after the stop, because a new process would outlive the run. */
    acquire: () =>
      new Promise<T | undefined>((resolve) => {
        if (isStopped) return resolve(undefined);
        waiting.push(resolve);
        serveWaiting();
      }),
    release,
    stop: () => {
      isStopped = true;
      for (const process of processes) process.stop();
      for (const resume of waiting.splice(0)) resume(undefined);
    },
  };
};
