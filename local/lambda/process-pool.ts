import { availableParallelism } from 'node:os';

/** A process that serves one event at a time. */
type Pooled = {
  /** Resolves when it can serve, or has ended. */
  readonly ready: Promise<unknown>;
  readonly isAlive: boolean;
  stop(): void;
};

/** Further events wait until a process is free. */
const MAX_PROCESSES = 16;

/** A start takes a second of a processor. More starts at once would delay every request beyond its time limit. */
const MAX_STARTING = availableParallelism();

const IDLE_MS = 60_000;

/** The processes of one function. `start` calls `onExit` when the process that it returned has ended. */
export const createProcessPool = <T extends Pooled>(
  start: (onExit: (ended: T) => void) => T,
  maxStarting = MAX_STARTING,
) => {
  const processes = new Set<T>();
  /** By the time of their last use, with the timer of their end. The latest serves first, so that the others can end. */
  const idle = new Map<T, NodeJS.Timeout>();
  const waiting: ((process: T | undefined) => void)[] = [];
  let starting = 0;
  let isStopped = false;

  const takeFromIdle = (process: T) => {
    clearTimeout(idle.get(process));
    idle.delete(process);
  };

  /** An event does not wait for the start that it has caused, if another process is free earlier. */
  const serveWaiting = () => {
    for (const process of [...idle.keys()].reverse()) {
      if (waiting.length === 0) return;
      takeFromIdle(process);
      waiting.shift()?.(process);
    }
    while (waiting.length > starting && starting < maxStarting && processes.size < MAX_PROCESSES)
      void startProcess();
  };

  const startProcess = async () => {
    starting += 1;
    const process = start((ended) => {
      processes.delete(ended);
      takeFromIdle(ended);
      serveWaiting();
    });
    processes.add(process);
    await process.ready;
    starting -= 1;
    // An event gets the error of a start that fails.
    if (!process.isAlive) waiting.shift()?.(process);
    release(process);
  };

  const release = (process: T) => {
    const end = () => {
      takeFromIdle(process);
      process.stop();
    };
    if (process.isAlive) idle.set(process, setTimeout(end, IDLE_MS).unref());
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
