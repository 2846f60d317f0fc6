import type { Command } from '@commander-js/extra-typings';
import { type CatalogName, catalogNames, tables } from '../../shared/tables.ts';
import { examples } from '../cli/arguments.ts';
import { openSession } from '../deployment/session.ts';
import { importList, removeRows } from '../lists/change-list.ts';
import { exportList, showList } from '../lists/export-list.ts';

export const addLists = (program: Command) => {
  for (const name of catalogNames) addList(program, name);
};

const addList = (program: Command, name: CatalogName) => {
  const { partitionKey: key, catalog } = tables[name];
  const { command: group, title, examples: some } = catalog;
  const list = program
    .command(group)
    .description(`the ${title} that warehouses may use`)
    .addHelpText('after', examples(`${group} list`, `${group} import ${group}.csv --dry-run`));

  list
    .command('list')
    .description('list them with their attributes, as the API answers')
    .addHelpText('after', examples(`${group} list`, `${group} list --json`))
    .action(async (_options, command) => {
      await showList(await openSession(command), name);
    });

  list
    .command('export')
    .description('write them as CSV, a workbook or JSON, so that import reads them back unchanged')
    .addHelpText(
      'after',
      examples(`${group} export --out ${group}.xlsx`, `${group} export --out ${group}.csv --separator ";"`),
    )
    .action(async (_options, command) => {
      await exportList(await openSession(command), name);
    });

  list
    .command('import')
    .description(
      'add and change rows from an .xlsx, CSV or JSON file; all of it is checked before anything is written',
    )
    .argument('<file>', 'the file, or - for standard input')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--all', 'with --dry-run: show more than the first 10 changes')
    .option('--replace', 'make the list exactly the file: rows and attributes that it lacks are removed')
    .option('--yes', 'remove rows without asking')
    .addHelpText('after', `${formatHelp(key)}${examples(...importExamples(group))}`)
    .action(async (file, options, command) => {
      await importList(await openSession(command), name, file, options);
    });

  const [one, other] = some;
  list
    .command('remove')
    .description('take rows out of the list; where one is not in it, nothing is removed')
    .argument('<identifier...>', `each ${key} that is removed, after -- where one begins with -`)
    .option('--yes', 'remove them without asking')
    .addHelpText('after', examples(`${group} remove ${one}`, `${group} remove ${one} ${other} --yes`))
    .action(async (identifiers, { yes }, command) => {
      await removeRows(await openSession(command), name, identifiers, yes);
    });
};

const importExamples = (group: string) => [
  `${group} import ${group}.csv --dry-run`,
  `${group} import ${group}.csv`,
  `${group} import ${group}.csv --replace`,
];

const formatHelp = (key: string) => `
.xlsx: the first sheet that is not hidden, with titles in its first row. The column ${key}, or else the first, names
  the row; every other one is an attribute. A plain column holds texts, one titled Weight:number numbers, one titled
  Sizes:json any JSON. An empty cell removes the attribute; attributes without a column stay as they are.
CSV: UTF-8, comma or semicolon, with the same titles. Numbers are such as 7.85, in a file with semicolons also 7,85;
  --decimal says which.
JSON: [{"${key}": "…", "Weight": 7.85}], or what the API answers.
`;
