import { readFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { runQuery } from '../../stock/sql/run-query.ts';
import { readViews } from '../../stock/sql/views.ts';
import { explain, Failure, WrongUsage } from '../../text/failure.ts';
import { atOption, examples, freshOption, noCacheOption } from '../terminal/arguments.ts';
import { sayListsAreOfNow } from './open-table.ts';
import { withStock } from './with-stock.ts';

const describeViews = () => `
Views:
${readViews()
  .map(({ name, columns }) => `  ${name.padEnd(15)}${columns}`)
  .join('\n')}

history has a row for each period in which a balance stayed the same. attributes is JSON.
exact_sum(value) adds decimals exactly. Times are texts in UTC, such as 2026-03-31T09:30:00.000Z.
docs/sql.md has examples.
`;

/** The views of the lists, and the view of the findings, which depend on the lists. */
const OF_LISTS = /\b(material_code|purchase_order|finding)\b/i;

export const addSql = (program: Command) => {
  program
    .command('sql')
    .description('query the stock with SQL; a query can only read')
    .argument('[query]', 'a SELECT statement')
    .option('--file <file>', 'a file with the query')
    .addOption(atOption('the stock'))
    .addOption(freshOption())
    .addOption(noCacheOption())
    .addHelpText('after', describeViews)
    .addHelpText(
      'after',
      examples(
        'sql "select unit, exact_sum(value) from balance group by unit"',
        'sql --file drops.sql --at yesterday --out drops.xlsx',
      ),
    )
    .action(async (query, { file }, command) => {
      const sql = await readQuery(query, file);
      await withStock(command, undefined, async ({ session, filter, file: stockFile }) => {
        if (filter.at && OF_LISTS.test(sql)) sayListsAreOfNow();
        const { columns, rows } = await runQuery({ file: stockFile, sql, at: filter.at?.getTime() });
        const shown = columns.map((name, index) => ({
          name,
          value: (row: readonly unknown[]) => row[index],
        }));
        await session.printRows(shown, rows);
      });
    });
};

const readQuery = async (query: string | undefined, file: string | undefined) => {
  if ((query === undefined) === (file === undefined))
    throw new WrongUsage('Give either a query in quotation marks, or --file with a query.');
  if (file === undefined) return query ?? '';
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`${file} cannot be read: ${explain(error)}.`);
  });
};
