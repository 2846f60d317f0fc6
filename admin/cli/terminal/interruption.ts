import { constants } from 'node:os';
import { writeFileAtomically } from '../../formats/write-file.ts';
import { Failure, Interrupted } from '../../text/failure.ts';
import type { Sink } from '../../text/output.ts';
import { hasPrinted, say } from './terminal.ts';

/** A terminal that closes sends SIGHUP, also on Windows. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

/** The exit code that shells give to a program after this interruption. */
const exitCodeOf = (name: Interruption) => 128 + constants.signals[name];

export const CTRL_C = exitCodeOf('SIGINT');

let watchers = 0;
let mayHaveWritten = false;

/** At an interruption that no command watches, prints a message and ends the process. */
export const endOnInterruption = () => {
  for (const name of INTERRUPTIONS) {
    process.on(name, () => {
      if (watchers > 0) return;
      say(mayHaveWritten || hasPrinted() ? 'Ended early.' : 'Ended early. Nothing was written.');
      process.exit(exitCodeOf(name));
    });
  }
};

/** Runs work that writes. An interruption aborts its `signal`. A Failure of interrupted work is thrown as Interrupted. */
export const runInterruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, exitCode, stopWatching } = watchInterruption(() =>
    say('Ending after the writes that have already started.'),
  );
  try {
    return await work(signal);
  } catch (error) {
    const code = exitCode();
    throw error instanceof Failure && code !== undefined ? new Interrupted(error.text, code) : error;
  } finally {
    stopWatching();
  }
};

/** Returns a `signal` that an interruption aborts. npm also passes Ctrl-C on, so an interruption may come twice. */
export const watchInterruption = (onFirst?: (exitCode: number) => void) => {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const abort = (name: Interruption) => {
    if (exitCode !== undefined) return;
    exitCode = exitCodeOf(name);
    onFirst?.(exitCode);
    controller.abort();
  };
  watchers += 1;
  mayHaveWritten = true;
  for (const name of INTERRUPTIONS) process.on(name, abort);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    stopWatching: () => {
      watchers -= 1;
      for (const name of INTERRUPTIONS) process.off(name, abort);
    },
  };
};

/** Writes the file of `--out`. An interruption that no command watches discards the file and ends the process. */
export const writeOutFile = <T>(
  path: string,
  write: (sink: Sink) => Promise<T>,
  buffered?: number,
): Promise<T> => {
  const watch = (discard: () => void) => {
    if (watchers > 0) return () => {};
    const { stopWatching } = watchInterruption((exitCode) => {
      discard();
      say(`Ended early. ${path} was not written.`);
      process.exit(exitCode);
    });
    return stopWatching;
  };
  return writeFileAtomically(path, write, { watch, buffered });
};
