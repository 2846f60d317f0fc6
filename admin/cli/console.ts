import { once } from 'node:events';
import { type Command, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { openBrowser } from '../console/open-browser.ts';
import { FAILED, Failure, WrongUsage } from '../text/failure.ts';
import {
  deploymentOptions,
  examples,
  freshOption,
  noCacheOption,
  showGlobalOptions,
} from './terminal/arguments.ts';
import { watchInterruption } from './terminal/interruption.ts';
import { openCommand } from './terminal/open-command.ts';
import { say } from './terminal/terminal.ts';

export const addConsole = (program: Command) => {
  program
    .command('console')
    .description('show in the browser what the commands show, and change lists and clients there')
    .addOption(
      new Option(
        '--port <port>',
        'the port of the console; by default 3400, or a free port if 3400 is in use',
      ).argParser(parsePort),
    )
    .configureHelp(showGlobalOptions(deploymentOptions))
    .option('--no-open', 'do not open the browser')
    .option('--read-only', 'show pages that cannot change anything')
    .addOption(freshOption())
    .addOption(noCacheOption())
    .addHelpText('after', examples('console', 'console --read-only', 'console --local --no-open'))
    .action(async ({ port, open, readOnly, fresh, cache }, command) => {
      const session = await openCommand(command);
      if (session.format.kind !== 'table')
        throw new WrongUsage('The console cannot be used with --json, --csv or --out.');
      const { signal } = watchInterruption();
      // Loaded late, because no other command needs the bundler and the server.
      const { startConsole } = await import('../console/server/start-console.ts');
      const { startStock } = await import('../console/processes/start-stock.ts');
      const stock = startStock(session, { fresh, cache });
      const options = { port, isReadOnly: readOnly, stock };
      const { printedLink, browserLink, stop } = await startConsole(session, options);
      say(`The console of ${session.deployment.name}${readOnly ? ' (read-only)' : ''} is at`);
      say(`  ${printedLink}`);
      say('Do not share this link: it signs you in. To stop the console, press Ctrl-C.');
      const stopped = signal.aborted ? undefined : once(signal, 'abort');
      if (open && !(await openBrowser(browserLink, stopped)))
        say('No browser could be opened. Open the link yourself.');
      const failure = await Promise.race([stopped, stock.failed]);
      await stop();
      say('The console has stopped.');
      // Requests that still run must not keep the process alive.
      if (!(failure instanceof Failure)) process.exit(0);
      say(failure.message);
      process.exit(FAILED);
    });
};

const parsePort = (text: string) => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || (port > 0 && port < 1_024) || port > 65_535) {
    throw new InvalidArgumentError('Give a number from 1024 to 65535, or 0 for any free port.');
  }
  return port;
};
