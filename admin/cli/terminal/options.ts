import * as v from 'valibot';
import { ClientName } from '../../../shared/clients/client.ts';
import { HORIZON_DAYS } from '../../stock/horizon.ts';
import { readPeriod } from './period.ts';

/** Options and arguments by name, each with the schema that reads its text. */
export type Inputs = Readonly<Record<string, v.GenericSchema>>;
export type Values<TOptions extends Inputs> = v.InferOutput<v.ObjectSchema<TOptions, undefined>>;

/** What Commander gets of a schema, besides its description. */
export const Shown = v.object({
  /** `--port <port>`, or `<name>` of an argument. */
  flags: v.string(),
  conflicts: v.optional(v.array(v.string())),
});

/** An option or an argument. The schema reads its text. With an optional schema, it can be left out. */
export const input = <const TSchema extends v.GenericSchema>(
  flags: string,
  description: string,
  schema: TSchema,
) => v.pipe(schema, v.description(description), v.metadata({ flags }));

export const requiredText = (flags: string, description: string) => input(flags, description, v.string());

export const option = <const TSchema extends v.GenericSchema>(
  flags: string,
  description: string,
  schema: TSchema,
) => input(flags, description, v.optional(schema));

export const text = (flags: string, description: string) => option(flags, description, v.string());

export const flag = (flags: string, description: string, conflicts: string[] = []) =>
  v.pipe(v.optional(v.boolean()), v.description(description), v.metadata({ flags, conflicts }));

export const describeChoices = (choices: readonly string[]) =>
  ` (choices: ${choices.map((choice) => `"${choice}"`).join(', ')})`;

/** The message is in the words of Commander. */
export const oneOf = <const TChoice extends string>(choices: readonly TChoice[]) =>
  v.picklist(choices, `Allowed choices are ${choices.join(', ')}.`);

export const clientOption = option('--client <name>', 'only this client, even if it was removed', ClientName);

const TIMES =
  'how long ago (90m, 24h, 7d, 2w, 1y), a day (yesterday, 2026-03-01), or a day with a time ("2026-03-01 18:00" in the time zone of this machine, 2026-03-01T08:15Z in UTC)';

const Time = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const period = readPeriod(dataset.value);
    if (period) return period;
    addIssue({ message: `Give ${TIMES}.` });
    return NEVER;
  }),
);

export const requiredTime = (flags: string, description: string) =>
  input(flags, `${description}: ${TIMES}`, Time);

export const sinceOption = (rows: string, verb = 'received') =>
  option('--since <time>', `only ${rows} ${verb} since this time: ${TIMES}`, Time);

export const atOption = (subject: string) =>
  option('--at <time>', `${subject} at this time; a day means its end: ${TIMES}`, Time);

export const historyOption = option(
  '--history <time>',
  `read batches back to this time, such as 1y; by default, of the last ${HORIZON_DAYS} days`,
  Time,
);

export const timeOptions = (rows: string, subject = `the ${rows}`) => ({
  since: sinceOption(rows),
  at: atOption(subject),
  history: historyOption,
});

const Count = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'Give a whole number from 1 on.'),
  v.transform(Number),
);
export const lastOption = option('--last <count>', 'only this many', Count);

export const fileOptions = {
  fresh: flag('--fresh', 'read everything again, even what an earlier command has stored on this machine'),
  cache: flag('--no-cache', 'leave nothing on this machine'),
};

export const deploymentOptions = {
  local: flag('--local', 'use the local run of npm start', ['stack', 'region', 'profile']),
  data: input(
    '--data <dir>',
    'with --local: the data folder of the local run (default: ".local")',
    v.optional(v.string(), '.local'),
  ),
  stack: input(
    '--stack <name>',
    'the stack of the deployment (default: "WarehouseControl")',
    v.optional(v.string(), 'WarehouseControl'),
  ),
  region: text(
    '--region <region>',
    'the region of the deployment; by default, the region of the environment or the profile',
  ),
  profile: text('--profile <name>', 'the profile of the AWS configuration'),
};

export const commonOptions = {
  ...deploymentOptions,
  json: flag('--json', 'print JSON'),
  csv: flag('--csv', 'print CSV'),
  separator: option(
    '--separator <character>',
    `the separator of cells in CSV, written (default: ",") or imported; with ";", numbers have a decimal comma${describeChoices([',', ';'])}`,
    v.picklist([',', ';'], 'Give "," or ";".'),
  ),
  decimal: option(
    '--decimal <sign>',
    `the decimal sign of numbers in CSV, written or imported${describeChoices(['.', ','])}`,
    v.picklist(['.', ','], 'Give "." or ",".'),
  ),
  bom: flag('--no-bom', 'omit the byte-order mark of CSV, for programs'),
  utc: flag('--utc', 'read and show times in UTC, not in the time zone of this machine'),
  out: text('--out <file>', 'write the data to a file whose name ends in .csv, .json or .xlsx'),
};
export type CommonValues = Values<typeof commonOptions>;
