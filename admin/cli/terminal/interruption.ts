import { constants } from 'node:os';
import { writeFileAtomically } from '../../formats/write-file.ts';
import { Failure, Interrupted } from '../../text/failure.ts';
import type { Sink } from '../../text/output.ts';
import { hasPrinted, say } from './terminal.ts';

/** SIGHUP is sent when a terminal closes, also by Windows. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

/** The exit code that shells give to a program after this signal. */
const exitCodeOf = (name: Signal) => 128 + constants.signals[name];

export const CTRL_C = exitCodeOf('SIGINT');

let watchers = 0;
let hasWatched = false;

/** At a signal that no command watches, prints a message and ends the process. */
export const endOnInterruption = () => {
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (watchers > 0) return;
      say(hasWatched || hasPrinted() ? 'Ended early.' : 'Ended early. Nothing was written.');
      process.exit(exitCodeOf(name));
    });
  }
};

/** Runs work that writes. One of the SIGNALS aborts the work's AbortSignal. A Failure of aborted work is thrown as Interrupted. */
export const watchWriting = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, exitCode, stopWatching } = watchInterruption(() =>
    say('Ending after the writes that have already started.'),
  );
  try {
    return await work(signal);
  } catch (error) {
    const code = exitCode();
    throw error instanceof Failure && code !== undefined ? new Interrupted(error.message, code) : error;
  } finally {
    stopWatching();
  }
};

/** Returns an AbortSignal that the SIGNALS abort. npm also passes Ctrl-C on, so a signal may arrive twice. */
export const watchInterruption = (onFirst?: (exitCode: number) => void) => {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const abort = (name: Signal) => {
    if (exitCode !== undefined) return;
    exitCode = exitCodeOf(name);
    onFirst?.(exitCode);
    controller.abort();
  };
  watchers += 1;
  hasWatched = true;
  for (const name of SIGNALS) process.on(name, abort);
  return {
    signal: controller.signal,
    /** Undefined without an interruption. */
    exitCode: () => exitCode,
    stopWatching: () => {
      watchers -= 1;
      for (const name of SIGNALS) process.off(name, abort);
    },
  };
};

/** Writes the file of `--out`. The SIGNALS discard the incomplete file and end the process, unless the command watches them. */
export const writeOutFile = <T>(path: string, write: (sink: Sink) => Promise<T>): Promise<T> =>
  writeFileAtomically(path, write, (discard) => {
    if (watchers > 0) return () => {};
    const { stopWatching } = watchInterruption((exitCode) => {
      discard();
      say(`Ended early. ${path} was not written.`);
      process.exit(exitCode);
    });
    return stopWatching;
  });
