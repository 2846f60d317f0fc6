import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isRealInstant } from '../../../shared/schemas/change.ts';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { kindNames, nameOf, severityOf } from '../../stock/checks/kinds.ts';
import { showFindingsOf } from '../../stock/checks/show-findings.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import type { Needs } from '../../stock/loading/load-stock.ts';
import { shownNameOf } from '../../stock/queries/choices.ts';
import { listOf, listOfCommand, scopeOf } from '../../stock/scope.ts';
import { markOf, readConcerns } from '../../stock/tables/work.ts';
import { Failure, WrongUsage } from '../../text/failure.ts';
import type { Column } from '../../text/output.ts';
import { formatTime } from '../../text/time.ts';
import { countOf } from '../../text/words.ts';
import type { Mark } from '../../told/mark.ts';
import { writeMark } from '../../told/write-mark.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { describeChoices, flag, oneOf, option, text } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { stockOptions, withStock } from './with-stock.ts';

const LISTS = listNames.map((name) => tables[name].list.command);

const DAY_RULE = 'Give a day, such as 2026-12-24.';
/** The beginning of the day on this machine, as on the page. */
const Day = v.pipe(
  v.string(),
  v.isoDate(DAY_RULE),
  v.check((day) => isRealInstant(`${day}T00:00Z`), DAY_RULE),
  v.transform((day) => new Date(`${day}T00:00`)),
);

export const addTold = (program: Group) =>
  defineCommand(program, {
    name: 'told',
    description:
      'hide what check finds of a kind for all admins, because the warehouse was told, or until a day; newer and worse findings come back',
    help: () => '\nWithout options, the command lists the marks.',
    options: {
      ...stockOptions({
        list: option('--list <list>', `of a list${describeChoices(LISTS)}`, oneOf(LISTS)),
        kind: option(
          '--kind <kind>',
          `the kind of the findings${describeChoices(kindNames)}`,
          oneOf(kindNames),
        ),
        until: option(
          '--until <day>',
          'not told, but known: also newer findings are hidden until this day begins',
          Day,
        ),
        note: text('--note <text>', 'a note for the other admins'),
        undo: flag('--undo', 'show the findings again', ['until', 'note']),
      }),
    },
    examples: [
      'told',
      'told --client north --kind unit-differs --note "Called Anna"',
      'told --list codes --kind unlisted-code --until 2026-12-24',
      'told --client north --kind unit-differs --undo',
    ],
    run: ({ list, ...options }) => {
      const { client, kind, until, note, undo } = options;
      const given = [client, list, kind, until, note, undo];
      if (given.every((value) => value === undefined)) return listMarks(options);
      if (kind === undefined) throw new WrongUsage('Give --kind.');
      const named = listOfCommand(list);
      const scope = client ?? (named && scopeOf(named));
      if (scope === undefined || (client && named)) throw new WrongUsage('Give either --client or --list.');
      return withStock(options, needsOf(kind), async function* ({ session, db }) {
        const subject = `${nameIn(db, client, list)} (${nameOf(kind)})`;
        showFindingsOf(db, { client });
        const count = readConcerns(db, { scope, kind }).reduce((sum, concern) => sum + concern.count, 0);
        const { version, mark: last } = markOf(db, { scope, kind });
        if (undo ? !last : count === 0)
          throw new Failure(
            `There is ${undo ? 'no mark' : 'no finding'} of ${subject}. Nothing was changed.`,
          );
        const [action, outcome] = actionFor(until, undo);
        const mark = { scope, kind, severity: severityOf(kind), action, until, note };
        await runInterruptible(() => writeMark(session.deployment, mark, version));
        yield `${countOf(count, 'finding')} of ${subject}: ${outcome}.`;
      });
    },
  });

/** With the values that `--undo` needs. */
const markColumns: Column<Mark>[] = [
  { name: 'Client', value: ({ scope }) => (listOf(scope) ? undefined : scope) },
  { name: 'List', value: ({ scope }) => commandOf(listOf(scope)) },
  { name: 'Kind', value: ({ kind }) => kind },
  { name: 'Told', value: ({ at }) => new Date(at) },
  {
    name: 'KnownUntil',
    title: 'Known until',
    value: ({ until }) => (until === null ? null : new Date(until)),
  },
  { name: 'By', value: ({ by }) => by },
  { name: 'Note', value: ({ note }) => note },
];

const commandOf = (list: ListName | undefined) => list && tables[list].list.command;

const listMarks = (options: Parameters<typeof withStock>[0]) =>
  withStock(options, { lists: true }, async function* ({ session, db }) {
    const find = db.prepare(
      'SELECT * FROM main.told WHERE ifnull(until > max(at, ?), TRUE) ORDER BY at DESC, scope, kind',
    );
    const marks = rowsOf<Mark>(find, session.now.toISOString());
    if (marks.length === 0) yield 'Nothing is marked as told or known.';
    yield toTable(markColumns, marks);
  });

const nameIn = (db: DatabaseSync, client: string | undefined, list: string | undefined) =>
  client === undefined ? `the list ${list}` : shownNameOf(db, client);

/** Reading the logs takes a while. */
const needsOf = (kind: string): Needs => ({
  ...{ batches: 'newestTwo', lists: true },
  ...(kind === 'refused-request' ? { refusals: true } : {}),
});

/** The action, and what it means for the findings. */
const actionFor = (until: Date | undefined, undo = false) => {
  if (undo) return ['undo', 'shown again'] as const;
  if (until) return ['known', `known until ${formatTime(until)}`] as const;
  return ['told', 'told. Newer ones come back'] as const;
};
