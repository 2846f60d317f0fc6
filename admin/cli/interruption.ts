import { constants } from 'node:os';
import { say } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Options = {
  onFirst?: () => void;
  /** Keeps running at a second signal. Otherwise a second signal ends the process at once. */
  survivesSecond?: boolean;
};

/** Watches while changes are written. */
export const watchWriting = () =>
  watchInterruption({ onFirst: () => say('Ending after the writes that have already started.') });

/** Aborts `signal` when Ctrl-C or SIGTERM arrives. npm passes Ctrl-C on, so it may arrive twice. */
export const watchInterruption = ({ onFirst, survivesSecond = false }: Options = {}) => {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const abort = (name: (typeof SIGNALS)[number]) => {
    if (exitCode !== undefined) return;
    exitCode = 128 + constants.signals[name];
    onFirst?.();
    controller.abort();
  };
  for (const name of SIGNALS) process[survivesSecond ? 'on' : 'once'](name, abort);
  return {
    signal: controller.signal,
    /** The exit code as shells count it; undefined without an interruption. */
    exitCode: () => exitCode,
    stopWatching: () => {
      for (const name of SIGNALS) process.off(name, abort);
    },
  };
};
