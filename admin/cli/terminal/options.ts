import * as v from 'valibot';
import { CLIENT_NAME, CLIENT_NAME_RULE } from '../../../shared/clients/client.ts';
import { readPeriod } from './period.ts';

/** What the help shows of an option or an argument, besides its description and its default. */
export const Shown = v.object({
  /** `--port <port>`, or `<name>` of an argument. */
  flags: v.string(),
  choices: v.optional(v.array(v.string())),
  /** The options that do not go with it. */
  conflicts: v.optional(v.array(v.string())),
});
type More = Omit<v.InferOutput<typeof Shown>, 'flags'>;

/** Options and arguments by name. */
export type Entries = Readonly<Record<string, v.GenericSchema>>;
export type Values<TOptions extends Entries> = v.InferOutput<v.ObjectSchema<TOptions, undefined>>;

/** An option or an argument, whose text the schema reads. */
export const option = <const TSchema extends v.GenericSchema>(
  flags: string,
  description: string,
  schema: TSchema,
  more: More = {},
) => v.pipe(schema, v.description(description), v.metadata({ flags, ...more }));

export const flag = (flags: string, description: string, more?: More) =>
  option(flags, description, v.optional(v.boolean()), more);

/** Commander's message has no quotation marks, so choices that are signs need a message of their own. */
export const oneOf = <const TChoice extends string>(
  choices: readonly TChoice[],
  message = `Allowed choices are ${choices.join(', ')}.`,
) => v.picklist(choices, message);

/** Also the name of a removed client. */
export const ClientName = v.pipe(v.string(), v.regex(CLIENT_NAME, CLIENT_NAME_RULE));

export const clientOption = option(
  '--client <name>',
  'only this client, even if it was removed',
  v.optional(ClientName),
);

const TIMES =
  'how long ago (90m, 24h, 7d, 2w), a day (yesterday, 2026-03-01), or a day with a time ("2026-03-01 18:00" in the time zone of this machine, 2026-03-01T08:15Z in UTC)';

const Time = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const period = readPeriod(dataset.value);
    if (period) return period;
    addIssue({ message: `Give ${TIMES}.` });
    return NEVER;
  }),
);

export const sinceOption = (subject: string) =>
  option('--since <time>', `${subject}: ${TIMES}`, v.optional(Time));

export const atOption = (subject: string) =>
  option('--at <time>', `${subject} at this time; a day means its end: ${TIMES}`, v.optional(Time));

const Count = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'Give a whole number from 1 on.'),
  v.transform(Number),
);
export const lastOption = option('--last <count>', 'only this many', v.optional(Count));

/** Options about the stock's file. */
export const fileOptions = {
  fresh: flag('--fresh', 'read everything again, even what an earlier command has stored on this machine'),
  cache: flag('--no-cache', 'leave nothing on this machine'),
};

/** Options that choose a deployment. */
export const deploymentOptions = {
  local: flag('--local', 'use the local run of npm start', { conflicts: ['stack', 'region', 'profile'] }),
  data: option(
    '--data <dir>',
    'with --local: the data folder of the local run',
    v.optional(v.string(), '.local'),
  ),
  stack: option('--stack <name>', 'the stack of the deployment', v.optional(v.string(), 'WarehouseControl')),
  region: option(
    '--region <region>',
    'the region of the deployment; by default, the region of the environment or the profile',
    v.optional(v.string()),
  ),
  profile: option('--profile <name>', 'the profile of the AWS configuration', v.optional(v.string())),
};

/** Options of every command. */
export const commonOptions = {
  ...deploymentOptions,
  json: flag('--json', 'print JSON'),
  csv: flag('--csv', 'print CSV'),
  separator: option(
    '--separator <character>',
    'the separator of cells in CSV, written (default: ",") or imported; with ";", numbers have a decimal comma',
    v.optional(oneOf([',', ';'], 'Give "," or ";".')),
    { choices: [',', ';'] },
  ),
  decimal: option(
    '--decimal <sign>',
    'the decimal sign of numbers in CSV, written or imported',
    v.optional(oneOf(['.', ','], 'Give "." or ",".')),
    { choices: ['.', ','] },
  ),
  bom: flag('--no-bom', 'omit the byte-order mark of CSV, for programs'),
  out: option(
    '--out <file>',
    'write the data to a file whose name ends in .csv, .json or .xlsx',
    v.optional(v.string()),
  ),
};
export type CommonValues = Values<typeof commonOptions>;
