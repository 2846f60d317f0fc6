import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** npm passes Ctrl-C on, so that it may come twice: the second must not cut off the account of what was written. */
export const interruption = () => {
  const controller = new AbortController();
  let code: number | undefined;
  const abort = (name: (typeof SIGNALS)[number]) => {
    // As shells count it.
    code ??= 128 + constants.signals[name];
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, abort);
  return {
    signal: controller.signal,
    /** What the process ends with, where it was interrupted. */
    code: () => code,
    end: () => {
      for (const name of SIGNALS) process.off(name, abort);
    },
  };
};
