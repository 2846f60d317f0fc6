import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { runQuery } from '../../console/processes/run-query.ts';
import { columnsNamed } from '../../formats/columns-of-table.ts';
import { describeUnknownLists } from '../../stock/queries/lists-at.ts';
import { findNamedQuery } from '../../stock/sql/named-queries.ts';
import { parametersOf } from '../../stock/sql/parameters.ts';
import { readViews } from '../../stock/sql/views.ts';
import { explain, Failure, WrongUsage } from '../../text/failure.ts';
import { toVisible } from '../../text/quote.ts';
import { joinNames } from '../../text/words.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { atOption, fileOptions, historyOption, option, text } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { withStock } from './with-stock.ts';

const describeViews = () => `
Views:
${readViews()
  .map(({ name, columns }) => `  ${name.padEnd(15)}${columns}`)
  .join('\n')}

history has a row for each period in which a balance stayed the same. attributes is JSON.
exact_sum(value) adds decimals exactly. Times are texts in UTC, such as 2026-03-31T09:30:00.000Z.`;

/** The views of the lists, and the view of the findings, which depend on the lists. */
const OF_LISTS = /\b(material_code|purchase_order|finding)\b/i;

export const addSql = (program: Group) =>
  defineCommand(program, {
    name: 'sql',
    description: 'query the stock with SQL; a query can only read',
    options: {
      statement: text('[query]', 'a SELECT statement'),
      file: text('--file <file>', 'a file with the query'),
      query: text('--query <name>', 'a query of the folder `queries`'),
      param: option(
        '--param <name=value...>',
        'the value of a parameter such as `:days`, as days=7',
        v.array(v.string()),
      ),
      at: atOption('the stock'),
      history: historyOption,
      ...fileOptions,
    },
    help: describeViews,
    examples: [
      'sql "select unit, exact_sum(value) from balance group by unit"',
      'sql --file drops.sql --at yesterday --out drops.xlsx',
      'sql --query not-sent-for-days --param days=7',
    ],
    run: async function* ({ statement, file, query, param = [], ...options }) {
      const sql = await readQuery(statement, file, query);
      const parameters = readParameters(sql, param);
      yield* withStock(options, undefined, async function* ({ session, db, filter: { at }, file }) {
        if (OF_LISTS.test(sql)) yield* describeUnknownLists(db, at);
        const query = { file, sql, at: at?.toISOString(), parameters };
        const { columns, rows, end } = await runQuery(session.where, query);
        try {
          yield toTable(columnsNamed(columns), rows);
        } finally {
          end();
        }
      });
    },
  });

const readQuery = async (query: string | undefined, file: string | undefined, name: string | undefined) => {
  if ([query, file, name].filter((given) => given !== undefined).length !== 1)
    throw new WrongUsage(
      'Give one of: a query in quotation marks, --file with a query, or --query with the name of a query.',
    );
  if (name !== undefined) return findNamedQuery(name);
  if (file === undefined) return query ?? '';
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`${file} cannot be read: ${explain(error)}.`);
  });
};

const readParameters = (sql: string, pairs: readonly string[]) => {
  const names = parametersOf(sql);
  const given = Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value] = /^:?([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (value === undefined) throw new WrongUsage(`Write --param NAME=VALUE, not ${toVisible(pair)}.`);
      if (!names.includes(name))
        throw new WrongUsage(
          `The query has no parameter :${toVisible(name)}. Leave out --param, or write :${toVisible(name)} in the query.`,
        );
      return [name, value];
    }),
  );
  const missing = names.filter((name) => !Object.hasOwn(given, name));
  if (missing.length === 0) return given;
  const advice = missing.map((name) => `--param ${name}=VALUE`).join(' ');
  throw new WrongUsage(
    `The query needs a value for ${joinNames(missing.map((name) => `:${name}`))}. Add ${advice}.`,
  );
};
