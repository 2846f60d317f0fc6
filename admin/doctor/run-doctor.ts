import { CommanderError } from 'commander';
import { explain, WrongUsage } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { runDoctor } from './doctor.ts';
import { interruption } from './interruption.ts';
import { createProgram } from './program.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Does what a command line asks for, and answers the code that its process ends with. */
export const doctorCommand = async (line: readonly string[]): Promise<number> => {
  let code = 0;
  const print = (text: string) => process.stdout.write(`${text}\n`);
  const program = createProgram(async (order) => {
    const interrupted = interruption();
    try {
      const { signal } = interrupted;
      const isWell = await runDoctor(order, { print, say, now: Date.now, interrupted: signal });
      code = interrupted.code() ?? (isWell ? 0 : FAILED);
    } finally {
      interrupted.end();
    }
  });
  try {
    await program.parseAsync(line, { from: 'user' });
    return code;
  } catch (error) {
    // Its words are out already. Help that was asked for is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    say(explain(error));
    return error instanceof WrongUsage ? WRONG_USAGE : FAILED;
  }
};
