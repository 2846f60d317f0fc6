import type { DatabaseSync } from 'node:sqlite';
import { type ListName, tables } from '../../../shared/tables.ts';
import { damagedChangesOf } from '../../stock/database/keep-list-changes.ts';
import { describeHistory, historySince } from '../../stock/queries/lists-at.ts';
import { quote } from '../../text/quote.ts';
import { openTable } from '../stock/open-table.ts';
import { withStock } from '../stock/with-stock.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { atOption, fileOptions, lastOption, sinceOption, text } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';

const OF_CHANGES = 'ChangedAt By What Source Added Changed Renamed Removed NotWritten'.split(' ');
const OF_CHANGES_IN_FILES = ['Since', 'EndedAt'];
const OF_LINES = 'ChangedAt Row Kind Attribute Before After By What Source'.split(' ');

export const addListHistory = (list: Group, name: ListName) => {
  const {
    partitionKey: key,
    list: { command: group, examples },
  } = tables[name];
  defineCommand(list, {
    name: 'history',
    description: `show who changed the list, when and with what; with a ${key}, how its row was changed`,
    options: {
      code: text('[code]', 'only the changes of this row'),
      change: text('--change <id>', 'show each row of this change'),
      by: text('--by <name>', 'only changes by people whose name has this text'),
      since: sinceOption('changes', 'made'),
      at: atOption('the history'),
      last: lastOption,
      ...fileOptions,
    },
    examples: [
      `${group} history`,
      `${group} history ${examples[0]}`,
      `${group} history --since 7d --by anna`,
    ],
    run: ({ code, change, by, last, ...options }, { isForPeople }) =>
      withStock(options, { history: true }, async function* ({ db, filter }) {
        yield* describeHistory(db, name);
        const hasLines = (code ?? change) !== undefined;
        const names = hasLines
          ? OF_LINES
          : [...OF_CHANGES, ...(isForPeople ? [] : OF_CHANGES_IN_FILES), 'Undoes'];
        const table = hasLines ? 'listLines' : 'listChanges';
        const chosen = { ...filter, list: name, id: code, change, by };
        const { columns, rows } = openTable(db, table, chosen, [...names, 'Change'], { limit: last });
        yield toTable(columns, rows);
        const [first] = openTable(db, table, chosen, ['Change'], { limit: 1 }).rows;
        yield* describeNone(db, name, { ...chosen, first });
      }),
  });
};

type Found = Record<'id' | 'change', string | undefined> & { first: unknown };

/** Without a history, and for a damaged change, the command says why. */
const describeNone = (db: DatabaseSync, name: ListName, { id, change = '', first }: Found) =>
  first || historySince(db, name) === null || damagedChangesOf(db, name).includes(change)
    ? []
    : [`The history has no such change${id === undefined ? '' : ` of ${quote(id)}`}.`];
