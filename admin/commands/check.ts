import type { Command } from '@commander-js/extra-typings';
import { type Finding, kinds } from '../check/finding.ts';
import { findingColumns, readFindings } from '../check/read-findings.ts';
import { clientOption, examples } from '../cli/arguments.ts';
import { Failure } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped } from '../cli/words.ts';
import { openSession, warehousesOf } from '../deployment/session.ts';

const kindsHelp = Object.entries(kinds)
  .map(([kind, words]) => `  ${kind.padEnd(18)}${words}`)
  .join('\n');

export const addCheck = (program: Command) => {
  program
    .command('check')
    .description(
      "compare each client's latest snapshot with the lists and its previous one, and show what is likely to be wrong",
    )
    .addOption(clientOption())
    .option('--strict', 'exit with 1 if anything is found')
    .addHelpText('after', `\nWhat is found:\n${kindsHelp}`)
    .addHelpText('after', examples('check', 'check --client warehouse --csv', 'check --strict --json'))
    .action(async ({ client, strict }, command) => {
      const session = await openSession(command);
      const findings = await readFindings(session, await warehousesOf(session, client));
      await session.printRows(findingColumns, findings);
      summarise(findings);
      if (strict && findings.length > 0) {
        throw new Failure(`With --strict, this is a failure: ${counted(findings.length, 'finding')}.`);
      }
    });
};

const summarise = (findings: readonly Finding[]) => {
  if (findings.length === 0) say('Nothing was found.');
  const found = Map.groupBy(findings, ({ kind }) => kind);
  for (const [kind, { length }] of found) say(`${kind}: ${grouped(length)} (${kinds[kind]})`);
};
