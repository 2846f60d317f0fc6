import { kinds } from '../../stock/checks/kinds.ts';
import { MAX_FINDINGS_OF_KIND, showFindings } from '../../stock/checks/show-findings.ts';
import type { Needs } from '../../stock/loading/load-stock.ts';
import { Failure } from '../../text/failure.ts';
import type { Column } from '../../text/output.ts';
import { countOf, formatCount, joinFirstNames } from '../../text/words.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { atOption, describeChoices, flag, historyOption, oneOf, option } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { LISTS_ARE_OF_NOW, openTable, type Row } from './open-table.ts';
import { type LoadedStock, stockOptions, withStock } from './with-stock.ts';

const KINDS = kinds.map(({ kind }) => kind);

/** In a table for people, more than this many findings of one kind become one line. */
const MAX_SHOWN_OF_A_KIND = 10;
const MOST = formatCount(MAX_FINDINGS_OF_KIND);

const kindsHelp = kinds.map(({ kind, title }) => `  ${kind.padEnd(18)}${title}`).join('\n');

export const addCheck = (program: Group) =>
  defineCommand(program, {
    name: 'check',
    description:
      "find what is likely to be wrong: compare each client's latest snapshot with the lists and with its previous snapshot",
    options: {
      ...stockOptions({ at: atOption('the snapshots'), history: historyOption }),
      kind: option(
        '--kind <kind>',
        `show each finding of this kind and no other${describeChoices(KINDS)}`,
        oneOf(KINDS),
      ),
      all: flag('--all', `show each finding, even if there are more than ${MAX_SHOWN_OF_A_KIND} of a kind`),
      strict: flag('--strict', 'use exit code 1 if there is any finding'),
    },
    examples: ['check', 'check --kind no-balance', 'check --client warehouse --csv', 'check --strict --json'],
    run: ({ kind, all, strict, ...options }, { isForPeople }) => {
      const showsEach = all === true || kind !== undefined;
      return withStock(options, needsAt, async function* (stock) {
        if (stock.filter.at) yield LISTS_ARE_OF_NOW;
        const { columns, findings } = readFindings(stock, kind);
        const rows = findings.map(({ row }) => row);
        const summary = showsEach ? findings : summarizeKinds(findings);
        yield isForPeople ? toTable(columnsForPeople, summary) : toTable(columns, rows);
        yield* describeCounts(findings);
        if (strict) refuseFindings(sumOf(findings));
      });
    },
  }).addHelpText('after', `\nKinds of findings, up to ${MOST} of each, the worst first:\n${kindsHelp}`);

const refuseFindings = (count: number) => {
  if (count > 0) throw new Failure(`With --strict, this is a failure: ${countOf(count, 'finding')}.`);
};

const needsAt = (at: Date | undefined): Needs => ({ batches: at ? 'all' : 'newestTwo', lists: true });

const COLUMNS = [
  'Severity',
  'Kind',
  'Client',
  'Subject',
  'Detail',
  'Advice',
  'SinceAtLeast',
  'SnapshotId',
  'Count',
];

const readFindings = ({ session, db, filter }: LoadedStock, kind: string | undefined) => {
  // The findings in the stock's file may be older than the batches that were just read.
  showFindings(db, { at: (filter.at ?? session.now).toISOString(), client: filter.client });
  const table = openTable(db, 'findings', { kind });
  const columns = table.columns(...COLUMNS);
  return { columns, findings: [...table.rows()].map((row) => toFinding(columns, row)) };
};

type ShownFinding = { severity: string; kind: string; client: string; subject: string; detail: string };
type Finding = ShownFinding & { count: number; row: Row };

const toFinding = (columns: readonly Column<Row>[], row: Row): Finding => {
  const [severity = '', kind = '', client = '', subject = '', detail = '', advice = ''] = columns.map(
    ({ value }) => String(value(row) ?? ''),
  );
  const count = Number(columns.at(-1)?.value(row));
  return { severity, kind, client, subject, detail: `${detail} ${advice}`.trim(), count, row };
};

const columnsForPeople: Column<ShownFinding>[] = [
  { name: 'Severity', value: ({ severity }) => severity },
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'Warehouse', value: ({ client }) => client },
  { name: 'Subject', value: ({ subject }) => subject },
  { name: 'Detail', value: ({ detail }) => detail },
];

const describeKind = (kind: string) => kinds.find((known) => known.kind === kind)?.title ?? kind;

const sumOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0);

const summarizeKinds = (findings: readonly Finding[]) =>
  [...Map.groupBy(findings, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    sumOf(ofKind) > MAX_SHOWN_OF_A_KIND ? [toSummary(kind, ofKind)] : ofKind,
  );

const toSummary = (kind: string, findings: readonly Finding[]): ShownFinding => {
  const [client = '', ...others] = new Set(findings.map(({ client }) => client));
  // A finding that stands for others comes last. Its subject is no name.
  const each = findings.filter(({ count }) => count === 1);
  const subjects = new Set(each.map(({ subject }) => subject));
  const subjectCount = subjects.size + sumOf(findings) - each.length;
  return {
    severity: findings[0]?.severity ?? '',
    kind,
    client: others.length === 0 ? client : '',
    subject: countOf(sumOf(findings), 'finding'),
    detail: `${joinFirstNames([...subjects], subjectCount)}: ${describeKind(kind)}. \`check --kind ${kind}\` shows each, up to ${MOST}.`,
  };
};

function* describeCounts(findings: readonly Finding[]) {
  if (findings.length === 0) yield 'Nothing was found.';
  for (const [kind, ofKind] of Map.groupBy(findings, ({ kind }) => kind))
    yield `${kind}: ${formatCount(sumOf(ofKind))} (${describeKind(kind)})`;
}
