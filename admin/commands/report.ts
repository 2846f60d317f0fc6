import { stat } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import {
  clientOption,
  deploymentOptions,
  examples,
  showGlobalOptions,
  sinceOption,
} from '../cli/arguments.ts';
import { WrongUsage } from '../cli/failure.ts';
import { writeFileAtomically } from '../cli/out-file.ts';
import { readRange } from '../cli/period.ts';
import { collectStock } from '../console/stock/collect-stock.ts';
import { openSession } from '../deployment/session.ts';

/** Here `--out` names the page, and the figures go to standard output. */
const Options = v.looseObject({ out: v.optional(v.string()) });

export const addReport = (program: Command) => {
  program
    .command('report')
    .description(
      'write one HTML page with the balances, their history, the batches and the findings; it needs no network',
    )
    .configureHelp(
      showGlobalOptions([...deploymentOptions, '--json', '--out'], {
        '--json': 'print the size of the page and its counts as JSON',
        '--out': 'the page to write, such as stock.html',
      }),
    )
    .addOption(clientOption())
    .addOption(sinceOption('only snapshots received since then, instead of in the last 30 days'))
    .addHelpText(
      'after',
      examples('report --out stock.html', 'report --out north.html --client north --since 90d'),
    )
    .action(async ({ client, since }, command) => {
      const { out, ...options } = v.parse(Options, command.optsWithGlobals());
      if (out === undefined || /\.(csv|json|xlsx)$/i.test(out)) {
        throw new WrongUsage('Give the HTML file to write, such as --out stock.html.');
      }
      const session = await openSession({ optsWithGlobals: () => options });
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
