import { explain } from './explain.ts';
import { FAILED, runCommand } from './run-command.ts';
import { say } from './terminal.ts';

const codeOf = (error: Error) => ('code' in error ? error.code : undefined);

process.stdout.on('error', (error) => {
  // Whoever reads may have seen enough, as `head` has.
  if (codeOf(error) === 'EPIPE') process.exit(0);
  say(`The data cannot be written: ${explain(error).message}`);
  process.exit(FAILED);
});
// Nobody is left to be told anything.
process.stderr.on('error', () => process.exit(FAILED));

process.exitCode = await runCommand(process.argv.slice(2));
