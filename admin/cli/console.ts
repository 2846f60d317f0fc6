import { once } from 'node:events';
import * as v from 'valibot';
import { openBrowser } from '../console/open-browser.ts';
import { openSession } from '../deployment/session.ts';
import { FAILED, Failure, WrongUsage } from '../text/failure.ts';
import { defineCommand, type Group } from './terminal/define-command.ts';
import { watchInterruption } from './terminal/interruption.ts';
import { fileOptions, flag, historyOption, option } from './terminal/options.ts';

const PORT_RULE = 'Give a number from 1024 to 65535, or 0 for any free port.';
const Port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, PORT_RULE),
  v.transform(Number),
  v.check((port) => port === 0 || (port >= 1_024 && port <= 65_535), PORT_RULE),
);

export const addConsole = (program: Group) =>
  defineCommand(program, {
    name: 'console',
    description: 'show in the browser what the commands show, and change lists and clients there',
    options: {
      port: option(
        '--port <port>',
        'the port of the console; by default 3400, or a free port if 3400 is in use',
        Port,
      ),
      open: flag('--no-open', 'do not open the browser'),
      readOnly: flag('--read-only', 'show pages that cannot change anything'),
      history: historyOption,
      ...fileOptions,
    },
    examples: ['console', 'console --read-only', 'console --local --no-open'],
    run: async function* ({ port, open, readOnly, history, fresh, cache, ...where }, { isForPeople }) {
      if (!isForPeople) throw new WrongUsage('The console cannot be used with --json, --csv or --out.');
      const session = await openSession(where);
      const { signal } = watchInterruption();
      // Loaded late, because no other command needs the bundler and the server.
      const { startConsole } = await import('../console/server/start-console.ts');
      const { startStock } = await import('../console/processes/start-stock.ts');
      const stock = startStock(session, { fresh, cache, history: history?.from });
      const options = { port, isReadOnly: readOnly, stock };
      const { printedLink, browserLink, stop } = await startConsole(session, options);
      yield `The console of ${session.deployment.name}${readOnly ? ' (read-only)' : ''} is at`;
      yield `  ${printedLink}`;
      yield 'Do not share this link: it signs you in. To stop the console, press Ctrl-C.';
      const stopped = signal.aborted ? undefined : once(signal, 'abort');
      if (open && !(await openBrowser(browserLink, stopped)))
        yield 'No browser could be opened. Open the link yourself.';
      const failure = await Promise.race([stopped, stock.failed]);
      await stop();
      yield 'The console has stopped.';
      // Requests that still run must not keep the process alive.
      if (!(failure instanceof Failure)) process.exit(0);
      yield failure.message;
      process.exit(FAILED);
    },
  });
