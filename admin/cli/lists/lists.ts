import type { Command } from '@commander-js/extra-typings';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { writeRows } from '../../formats/write-rows.ts';
import { columnsAsInApi, toExport } from '../../lists/files/export-list.ts';
import { sortRows } from '../../lists/storage/read-list.ts';
import { examples } from '../terminal/arguments.ts';
import { openCommand } from '../terminal/open-command.ts';
import { say } from '../terminal/terminal.ts';
import { importList, readWithProgress, removeRows } from './change-lists.ts';

export const addLists = (program: Command) => {
  for (const name of listNames) addList(program, name);
};

const addList = (program: Command, name: ListName) => {
  const {
    partitionKey: key,
    list: { command: group, title, examples: exampleKeys },
  } = tables[name];
  const list = program
    .command(group)
    .description(`manage the ${title} that warehouses may use`)
    .addHelpText('after', examples(`${group} list`, `${group} import ${group}.csv --dry-run`));

  list
    .command('list')
    .description('show the rows with their attributes, as the API returns them')
    .addHelpText('after', examples(`${group} list`, `${group} list --json`))
    .action(async (_options, command) => {
      const session = await openCommand(command);
      const items = sortRows(await readWithProgress(session, name));
      await session.printRows(columnsAsInApi(items, key), items);
    });

  list
    .command('export')
    .description('write the list as CSV, a workbook or JSON, so that import reads it back unchanged')
    .addHelpText(
      'after',
      examples(`${group} export --out ${group}.xlsx`, `${group} export --out ${group}.csv --separator ";"`),
    )
    .action(async (_options, command) => {
      const session = await openCommand(command);
      const { fileFormat } = session;
      const items = sortRows(await readWithProgress(session, name));
      const { columns, rows, notices } = toExport(name, items, fileFormat.kind === 'json');
      for (const notice of notices) say(notice);
      await session.write((sink) => writeRows(sink, fileFormat, columns, rows));
    });

  const importExample = `${group} import ${group}.csv`;
  list
    .command('import')
    .description(
      'add and change rows from an .xlsx, CSV or JSON file; a file with any error is refused as a whole',
    )
    .argument('<file>', 'the file, or - for standard input')
    .option('--dry-run', 'show what would change and write nothing')
    .option('--all', 'with --dry-run: show all lines, not only the first 10')
    .option('--replace', 'also remove rows and attributes that are not in the file')
    .option('--yes', 'remove rows without asking')
    .addHelpText(
      'after',
      `${formatHelp(key)}${examples(`${importExample} --dry-run`, importExample, `${importExample} --replace`)}`,
    )
    .action(async (file, options, command) => {
      await importList(await openCommand(command), name, file, options);
    });

  const [first, second] = exampleKeys;
  list
    .command('remove')
    .description('remove rows from the list; if a row is not in the list, no row is removed')
    .argument('<identifier...>', `each ${key} to remove; put -- before a ${key} that begins with -`)
    .option('--yes', 'remove rows without asking')
    .addHelpText('after', examples(`${group} remove ${first}`, `${group} remove ${first} ${second} --yes`))
    .action(async (identifiers, { yes }, command) => {
      await removeRows(await openCommand(command), name, identifiers, yes);
    });
};

const formatHelp = (key: string) => `
.xlsx: The import reads the first sheet that is not hidden. The first row has the titles. The column ${key}, or else the
  first column, has the key. Every other column is an attribute: Name has texts, Weight:number has numbers, and
  Sizes:json has any JSON. An empty cell removes the attribute. An attribute without a column stays.
CSV: UTF-8, with the same titles. Cells are separated by commas or semicolons. Numbers have a decimal point, such as 7.85,
  or a decimal comma if semicolons separate the cells, such as 7,85. --decimal sets the sign.
JSON: [{"${key}": "…", "Weight": 7.85}], or a response of the API.
`;
