import { once } from 'node:events';
import type { Command } from '@commander-js/extra-typings';
import { serve } from '@hono/node-server';
import { examples } from '../cli/arguments.ts';
import { watchInterruption } from '../cli/interruption.ts';
import { say } from '../cli/terminal.ts';
import { consoleApp } from '../console/server/console-app.ts';
import { openSession } from '../deployment/session.ts';

export const addConsole = (program: Command) => {
  program
    .command('console')
    .description('pages for the browser, served on this machine alone: see and change what the commands do')
    .addHelpText('after', examples('console', 'console --local'))
    .action(async (_, command) => {
      const session = await openSession(command);
      const { signal } = watchInterruption();
      const server = serve(
        { fetch: consoleApp(session).fetch, hostname: '127.0.0.1', port: 3400 },
        ({ port }) => say(`http://127.0.0.1:${port}/`),
      );
      if (!signal.aborted) await once(signal, 'abort');
      server.close();
    });
};
