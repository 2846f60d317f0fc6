import { stat } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { clientOption, examples, sinceOption } from '../cli/arguments.ts';
import { writeFileAtomically } from '../cli/out-file.ts';
import { readRange } from '../cli/period.ts';
import { collectStock } from '../console/stock/collect-stock.ts';
import { openSession } from '../deployment/session.ts';

export const addReport = (program: Command) => {
  program
    .command('report')
    .description('a page for the browser with balances, their history, what arrived and what the check finds')
    .requiredOption('--out <file>', 'the HTML file to write; it holds all of it, and needs no network')
    .addOption(clientOption())
    .addOption(sinceOption('what was received then or later, else in the last 30 days'))
    .addHelpText(
      'after',
      examples('report --out stock.html', 'report --out north.html --client north --since 90d'),
    )
    .action(async ({ out, client, since }, command) => {
      const session = await openSession(command);
      const data = await collectStock(session, { client, since: readRange({ since }).since });
      // It brings a bundler, which no other command needs.
      const { freezePage } = await import('../console/freeze-page.ts');
      await writeFileAtomically(out, async (sink) => {
        for (const piece of freezePage(data)) await sink(piece);
      });
      await session.printRecord({
        File: out,
        Bytes: (await stat(out)).size,
        Snapshots: data.snapshots.at.length,
        Materials: data.materials.code.length,
        Findings: data.findings.length,
      });
    });
};
