import { CommanderError } from 'commander';
import { explain } from './explain.ts';
import { createProgram } from './program.ts';
import { say } from './terminal.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

const codeOf = (error: Error) => ('code' in error ? error.code : undefined);

process.stdout.on('error', (error) => {
  // Whoever reads may have seen enough, as `head` has.
  if (codeOf(error) === 'EPIPE') process.exit(0);
  say(`The data cannot be written: ${explain(error).message}`);
  process.exit(FAILED);
});
// Nobody is left to be told anything.
process.stderr.on('error', () => process.exit(FAILED));

try {
  const program = await createProgram(process.argv);
  await program.parseAsync();
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
