import { CommanderError } from 'commander';
import { explain, FAILED, WRONG_USAGE, WrongUsage } from './failure.ts';
import { say } from './terminal.ts';

/** Runs a command line, prints the message of its error, and returns the exit code. */
export const runToExitCode = async (run: () => Promise<number>): Promise<number> => {
  try {
    return await run();
  } catch (error) {
    // Commander has printed its message already. It also throws after --help, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    say(explain(error));
    return error instanceof WrongUsage ? WRONG_USAGE : FAILED;
  }
};
