import { type Command, Option } from '@commander-js/extra-typings';
import { type Finding, type Kind, kinds } from '../check/finding.ts';
import { findingColumns, readFindings } from '../check/read-findings.ts';
import { atOption, clientOption, examples } from '../cli/arguments.ts';
import { Failure } from '../cli/failure.ts';
import { readRange } from '../cli/period.ts';
import { say } from '../cli/terminal.ts';
import { counted, grouped, joinFirstNames } from '../cli/words.ts';
import { warehousesOf } from '../clients/read-names.ts';
import { openSession } from '../deployment/session.ts';

/** In a table, more than this many findings of one kind become one line. */
const MAX_SHOWN_OF_A_KIND = 10;

const kindsHelp = Object.entries(kinds)
  .map(([kind, words]) => `  ${kind.padEnd(18)}${words}`)
  .join('\n');

export const addCheck = (program: Command) => {
  program
    .command('check')
    .description(
      "find what is likely to be wrong: compare each client's latest snapshot with the lists and with its previous snapshot",
    )
    .addOption(clientOption())
    .addOption(atOption('the snapshots'))
    .addOption(
      new Option('--kind <kind>', 'show all findings of one kind, and no others').choices(Object.keys(kinds)),
    )
    .option('--all', `show each finding, even if there are more than ${MAX_SHOWN_OF_A_KIND} of a kind`)
    .option('--strict', 'use exit code 1 if there is any finding')
    .addHelpText('after', `\nKinds of findings, the worst first:\n${kindsHelp}`)
    .addHelpText(
      'after',
      examples('check', 'check --kind no-balance', 'check --client warehouse --csv', 'check --strict --json'),
    )
    .action(async ({ client, at, kind, all, strict }, command) => {
      const session = await openSession(command);
      const { until } = readRange({ at });
      if (until) say('The lists are those of now, because their history is not kept.');
      const found = await readFindings(session, await warehousesOf(session, client), { until });
      const findings = found.filter((finding) => kind === undefined || finding.kind === kind);
      const isCollapsed = session.format.kind === 'table' && !all && kind === undefined;
      await session.printRows(findingColumns, isCollapsed ? collapse(findings) : findings);
      summarise(findings);
      if (strict && findings.length > 0) {
        throw new Failure(`With --strict, this is a failure: ${counted(findings.length, 'finding')}.`);
      }
    });
};

const collapse = (findings: readonly Finding[]) =>
  [...Map.groupBy(findings, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    ofKind.length > MAX_SHOWN_OF_A_KIND ? [toOneFinding(kind, ofKind)] : ofKind,
  );

const toOneFinding = (kind: Kind, findings: readonly Finding[]): Finding => {
  const [client = '', ...others] = new Set(findings.map(({ client }) => client));
  const subjects = new Set(findings.map(({ subject }) => subject));
  return {
    kind,
    client: others.length === 0 ? client : '',
    subject: counted(findings.length, 'finding'),
    detail: `${joinFirstNames([...subjects])}: ${kinds[kind]}. \`check --kind ${kind}\` shows each.`,
  };
};

const summarise = (findings: readonly Finding[]) => {
  if (findings.length === 0) say('Nothing was found.');
  const found = Map.groupBy(findings, ({ kind }) => kind);
  for (const [kind, { length }] of found) say(`${kind}: ${grouped(length)} (${kinds[kind]})`);
};
