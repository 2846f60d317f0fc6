import { CommanderError } from 'commander';
import { explain } from './explain.ts';
import { createProgram } from './program.ts';
import { say } from './terminal.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

// Whoever reads may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
// Passwords and balances that a command writes to files are for nobody else on this machine.
process.umask(0o077);

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Its words are out already. Help that was asked for is no error.
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  } else {
    const { message, isUsage } = explain(error);
    say(message);
    process.exitCode = isUsage ? WRONG_USAGE : FAILED;
  }
}
