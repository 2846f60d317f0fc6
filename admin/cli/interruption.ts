import { say } from './terminal.ts';

/** A second Ctrl-C ends everything at once, as it does without this. */
export const interruption = () => {
  const controller = new AbortController();
  const abort = () => {
    say('Ending, once what is on its way is written.');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of signals) process.off(signal, abort);
    },
  };
};
