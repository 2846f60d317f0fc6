import { noClient } from '../../clients/client-table.ts';
import { readMessage } from '../../messages/write-message.ts';
import { kindNames, kindOf, kinds, nameOf } from '../../stock/checks/kinds.ts';
import { MAX_FINDINGS_OF_KIND, showFindingsOf } from '../../stock/checks/show-findings.ts';
import type { Needs } from '../../stock/loading/load-stock.ts';
import { describeUnknownLists } from '../../stock/queries/lists-at.ts';
import { Failure, WrongUsage } from '../../text/failure.ts';
import type { Column } from '../../text/output.ts';
import { countOf, formatNumber, joinFirstNames } from '../../text/words.ts';
import { writeFor } from '../../text/write-for.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { atOption, describeChoices, flag, historyOption, oneOf, option } from '../terminal/options.ts';
import { readerInTerminal, toTable } from '../terminal/output.ts';
import { print } from '../terminal/terminal.ts';
import { openTable, type Row } from './open-table.ts';
import { type LoadedStock, stockOptions, withStock } from './with-stock.ts';

/** In a table for people, more than this many findings of one kind become one line. */
const MAX_SHOWN_OF_A_KIND = 10;
const MOST = formatNumber(MAX_FINDINGS_OF_KIND);

const describeKinds = () => `
Kinds of findings, up to ${MOST} of each, the worst first:
${kinds.map(({ kind, name, title }) => `  ${kind.padEnd(18)}${name}: ${title}`).join('\n')}`;

export const addCheck = (program: Group) =>
  defineCommand(program, {
    name: 'check',
    description:
      "find what is likely to be wrong: compare each client's latest snapshot with the lists and with its previous snapshot",
    options: {
      ...stockOptions({ at: atOption('the snapshots'), history: historyOption }),
      kind: option(
        '--kind <kind>',
        `show each finding of this kind and no other${describeChoices(kindNames)}`,
        oneOf(kindNames),
      ),
      all: flag(
        '--all',
        `show each finding, also those marked as told or known, and more than ${MAX_SHOWN_OF_A_KIND} of a kind`,
      ),
      strict: flag('--strict', 'use exit code 1 if there is any finding that is neither told nor known'),
      message: flag('--message', 'with --client: write a message about its open findings, in its language', [
        'at',
        'history',
        'kind',
        'all',
        'strict',
      ]),
    },
    help: describeKinds,
    examples: [
      'check',
      'check --kind no-balance',
      'check --client warehouse --csv',
      'check --client north --message',
    ],
    run: ({ kind, all, strict, message, ...options }, { isForPeople }) => {
      if (message) return showMessage(options, isForPeople);
      return withStock(options, needsAt, async function* (stock) {
        yield* describeUnknownLists(stock.db, stock.filter.at);
        const { columns, findings } = readFindings(stock, kind);
        if (isForPeople) yield* showToPeople(findings, { kind, all });
        else yield* showRows(columns, findings);
        if (findings.length === 0) yield 'Nothing was found.';
        if (strict) refuseOpen(findings);
      });
    },
  });

/** Reads what the console reads, so that the message is the same. A warehouse would be told a wrong time by two batches. */
const MESSAGE_NEEDS: Needs = { batches: 'all', lists: true, refusals: true };

/** Checks all warehouses. */
const showMessage = ({ client, ...options }: Parameters<typeof withStock>[0], isForPeople: boolean) => {
  if (client === undefined) throw new WrongUsage('--message needs --client NAME.');
  return withStock(options, MESSAGE_NEEDS, async function* ({ session, db, clients }) {
    if (!clients.includes(client)) throw noClient(client, session.deployment.name);
    showFindingsOf(db, { at: session.now.toISOString() });
    // A message is for people, also in JSON.
    const found = writeFor(readerInTerminal(), () => readMessage(db, client));
    if (!found) return yield `There is nothing to write to ${client}.`;
    const { named, ...message } = found;
    if (isForPeople) await print(`${message.subject}\n\n${message.text}\n`);
    else yield { record: message };
  });
};

const needsAt = (at: Date | undefined): Needs =>
  at ? { batches: 'all', lists: true } : { batches: 'newestTwo', lists: true, refusals: true };

const COLUMNS = 'Severity Kind Client Subject Detail Advice SinceAtLeast SnapshotId Count State'.split(' ');

const readFindings = ({ session, db, filter }: LoadedStock, kind: string | undefined) => {
  // The findings in the stock's file may be older than the batches that were just read.
  showFindingsOf(db, { at: (filter.at ?? session.now).toISOString(), client: filter.client });
  const { columns, rows } = openTable(db, 'findings', { kind, at: filter.at }, COLUMNS);
  return { columns, findings: [...rows] };
};

const columnsForPeople: Column<Row>[] = [
  { name: 'Severity', value: ({ Severity }) => Severity },
  { name: 'Kind', value: ({ Kind }) => nameOf(String(Kind)) },
  { name: 'Warehouse', value: ({ Client }) => Client },
  { name: 'Subject', value: ({ Subject }) => Subject },
  { name: 'Detail', value: ({ Detail, Advice = '' }) => `${Detail} ${Advice}`.trim() },
];

const stateColumn: Column<Row> = { name: 'State', value: ({ State }) => State };

const describeKind = (kind: string) => kindOf(kind)?.title ?? kind;

const byKind = (findings: readonly Row[]) => Map.groupBy(findings, ({ Kind }) => String(Kind));
const countOfRow = ({ Count }: Row) => Number(Count);
const sumOf = (findings: readonly Row[]) => findings.reduce((sum, row) => sum + countOfRow(row), 0);

const inState = (findings: readonly Row[], state: string) => findings.filter(({ State }) => State === state);

const summarizeKinds = (findings: readonly Row[]) =>
  [...byKind(findings)].flatMap(([kind, ofKind]) =>
    sumOf(ofKind) > MAX_SHOWN_OF_A_KIND ? [toSummary(kind, ofKind)] : ofKind,
  );

const toSummary = (kind: string, findings: readonly Row[]): Row => {
  const [client, ...others] = new Set(findings.map(({ Client }) => Client));
  // A finding that stands for others comes last. Its subject is no name.
  const single = findings.filter((row) => countOfRow(row) === 1);
  const subjects = new Set(single.map(({ Subject }) => String(Subject)));
  const subjectCount = subjects.size + sumOf(findings) - single.length;
  return {
    Severity: findings[0]?.['Severity'],
    Kind: kind,
    Client: others.length === 0 ? client : undefined,
    Subject: countOf(sumOf(findings), 'finding'),
    Detail: `${joinFirstNames([...subjects], subjectCount)}: ${describeKind(kind)}. \`check --kind ${kind}\` shows each, up to ${MOST}.`,
  };
};

function* describeCounts(findings: readonly Row[]) {
  for (const [kind, ofKind] of byKind(findings))
    yield `${kind}: ${formatNumber(sumOf(ofKind))} (${describeKind(kind)})`;
}

function* showRows(columns: readonly Column<Row>[], findings: readonly Row[]) {
  yield toTable(columns, findings);
  yield* describeCounts(findings);
}

type Choice = { kind: string | undefined; all: boolean | undefined };

/** Without `all`, only what is open. */
function* showToPeople(findings: readonly Row[], { kind, all }: Choice) {
  if (all) return yield* showRows([stateColumn, ...columnsForPeople], findings);
  const open = inState(findings, 'open');
  yield toTable(columnsForPeople, kind ? open : summarizeKinds(open));
  yield* describeCounts(open);
  const [told = 0, known = 0] = ['told', 'known'].map((state) => sumOf(inState(findings, state)));
  if (told + known > 0)
    yield `Not shown: ${formatNumber(told)} told and ${formatNumber(known)} known. \`--all\` shows them.`;
}

const refuseOpen = (findings: readonly Row[]) => {
  const open = sumOf(inState(findings, 'open'));
  if (open > 0) throw new Failure(`With --strict, this is a failure: ${countOf(open, 'open finding')}.`);
};
