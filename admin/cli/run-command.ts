import { CommanderError } from 'commander';
import { explain } from './explain.ts';
import { createProgram } from './program.ts';
import { say } from './terminal.ts';

export const FAILED = 1;
const WRONG_USAGE = 2;

/** Does what a command line asks for, and answers the code that its process ends with. */
export const runCommand = async (line: readonly string[]): Promise<number> => {
  try {
    const program = await createProgram(line);
    await program.parseAsync(line, { from: 'user' });
    return 0;
  } catch (error) {
    // Its words are out already. Help that was asked for is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    const { message, isUsage } = explain(error);
    say(message);
    return isUsage ? WRONG_USAGE : FAILED;
  }
};
