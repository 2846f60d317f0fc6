import { once } from 'node:events';
import { type Command, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { deploymentOptions, examples, showGlobalOptions } from '../cli/arguments.ts';
import { WrongUsage } from '../cli/failure.ts';
import { watchInterruption } from '../cli/interruption.ts';
import { hideProgress, say } from '../cli/terminal.ts';
import { openBrowser } from '../console/open-browser.ts';
import { openSession } from '../deployment/session.ts';

export const addConsole = (program: Command) => {
  program
    .command('console')
    .description('open pages in the browser that show what the commands show, and change lists and clients')
    .addOption(
      new Option(
        '--port <port>',
        'the port of the console; without it, 3400, or a free one if 3400 is in use',
      ).argParser(parsePort),
    )
    .configureHelp(showGlobalOptions(deploymentOptions))
    .option('--no-open', 'do not open the browser')
    .option('--read-only', 'show pages that cannot change anything')
    .addHelpText('after', examples('console', 'console --read-only', 'console --local --no-open'))
    .action(async ({ port, open, readOnly }, command) => {
      const session = await openSession(command);
      if (session.format.kind !== 'table')
        throw new WrongUsage('The console cannot be used with --json, --csv or --out.');
      hideProgress();
      const { signal } = watchInterruption({ survivesSecond: true });
      // Loaded late, because no other command needs its bundler and server.
      const { startConsole } = await import('../console/server/start-console.ts');
      const { printedAddress, singleUse, stop } = await startConsole(session, { port, isReadOnly: readOnly });
      say(`The console of ${session.deployment.what}${readOnly ? ' (read-only)' : ''} is at`);
      say(`  ${printedAddress}`);
      say('Do not share this address: it signs you in. To stop the console, press Ctrl-C.');
      const isStopped = signal.aborted ? undefined : once(signal, 'abort');
      if (open) await openBrowser(singleUse, isStopped);
      await isStopped;
      await stop();
      say('The console has stopped.');
      // Requests that still run must not keep the process alive.
      process.exit(0);
    });
};

const parsePort = (text: string) => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || (port > 0 && port < 1_024) || port > 65_535) {
    throw new InvalidArgumentError('Give a number from 1024 to 65535, or 0 for any free port.');
  }
  return port;
};
