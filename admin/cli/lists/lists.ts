import * as v from 'valibot';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession } from '../../deployment/session.ts';
import { columnsAsInApi, toExport } from '../../lists/files/export-list.ts';
import { readListAt } from '../../lists/history/read-list-at.ts';
import { sortRows } from '../../lists/storage/read-list.ts';
import { defineCommand, defineGroup, type Group } from '../terminal/define-command.ts';
import { atOption, fileOptions, flag, input, requiredText, type Values } from '../terminal/options.ts';
import { toTable } from '../terminal/output.ts';
import { readRange } from '../terminal/period.ts';
import { importList, readWithProgress, removeRows, undoChange } from './change-lists.ts';
import { addListHistory } from './list-history.ts';

export const addLists = (program: Group) => {
  for (const name of listNames) addList(program, name);
};

const addList = (program: Group, name: ListName) => {
  const {
    partitionKey: key,
    list: { command: group, title, examples: exampleKeys },
  } = tables[name];
  const list = defineGroup(program, {
    name: group,
    description: `manage the ${title} that warehouses may use`,
    examples: [`${group} list`, `${group} import ${group}.csv --dry-run`],
  });

  defineCommand(list, {
    name: 'list',
    description: 'show the rows with their attributes, as the API returns them',
    options: { at: listAt },
    examples: [`${group} list`, `${group} list --json`, `${group} list --at yesterday`],
    run: async function* (options) {
      const items = sortRows(await readListOf(name, options));
      yield toTable(columnsAsInApi(items, key), items);
    },
  });

  defineCommand(list, {
    name: 'export',
    description: 'write the list as CSV, a workbook or JSON, so that import reads it back unchanged',
    options: { at: listAt },
    examples: [`${group} export --out ${group}.xlsx`, `${group} export --out ${group}.csv --separator ";"`],
    isExport: true,
    run: async function* (options, { format }) {
      const items = sortRows(await readListOf(name, options));
      const { columns, rows, notices } = toExport(name, items, format.kind === 'json');
      yield* notices;
      yield toTable(columns, rows);
    },
  });

  const importExample = `${group} import ${group}.csv`;
  defineCommand(list, {
    name: 'import',
    description:
      'add and change rows from an .xlsx, CSV or JSON file; a file with any error is refused as a whole',
    options: {
      file: requiredText('<file>', 'the file, or - for standard input'),
      ...preview,
      replace: flag('--replace', 'also remove rows and attributes that are not in the file'),
      ...consent,
    },
    help: () => formatHelp(key),
    examples: [`${importExample} --dry-run`, importExample, `${importExample} --replace`],
    run: (options, output) => importList(name, options, output),
  });

  const [first, second] = exampleKeys;
  defineCommand(list, {
    name: 'remove',
    description: 'remove rows from the list; if a row is not in the list, no row is removed',
    options: {
      identifiers: input(
        '<identifier...>',
        `each ${key} to remove; put -- before a ${key} that begins with -`,
        v.array(v.string()),
      ),
      ...consent,
    },
    examples: [`${group} remove ${first}`, `${group} remove ${first} ${second} --yes`],
    run: (options, output) => removeRows(name, options, output),
  });

  addListHistory(list, name);

  defineCommand(list, {
    name: 'undo',
    description: 'take back a change; what somebody has changed since then stays',
    options: {
      change: requiredText('<change>', `the id of the change, as \`${group} history\` shows it`),
      ...preview,
      ...consent,
    },
    examples: [`${group} undo 2026-03-31T09:30:00.000Z-0a1b2c3d --dry-run`],
    run: (options, output) => undoChange(name, options, output),
  });
};

const listAt = atOption('the list');

const readListOf = async (name: ListName, options: Where & Values<{ at: typeof listAt }>) => {
  const session = await openSession(options);
  const { until } = readRange(options);
  return until ? readListAt(session.deployment, name, until) : readWithProgress(session, name);
};

const preview = {
  dryRun: flag('--dry-run', 'show what would change and write nothing'),
  all: flag('--all', 'with --dry-run: show all lines, not only the first 10'),
};

const consent = {
  yes: flag('--yes', 'remove rows without asking; accepts no warning'),
  acceptWarnings: flag('--accept-warnings', 'write in spite of warnings'),
  cache: fileOptions.cache,
};

const formatHelp = (key: string) => `
.xlsx: The import reads the first sheet that is not hidden. The first row has the titles. The column ${key}, or else the
  first column, has the key. Every other column is an attribute: Name has texts, Weight:number has numbers, and
  Sizes:json has any JSON. An empty cell removes the attribute. An attribute without a column stays.
CSV: UTF-8, with the same titles. Cells are separated by commas or semicolons. Numbers have a decimal point, such as 7.85,
  or a decimal comma if semicolons separate the cells, such as 7,85. --decimal sets the sign.
JSON: [{"${key}": "…", "Weight": 7.85}], or a response of the API.`;
