import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { writeFor } from '../../text/write-for.ts';
import { type CommonValues, commonOptions, type Inputs, Shown, type Values } from './options.ts';
import { createOutput, type Output, type Piece, printPieces, readerInTerminal } from './output.ts';

export type Group = CommandUnknownOpts;

type Help = {
  name: string;
  description: string;
  help?: () => string;
  examples: readonly string[];
  /** A command for the operator of the deployment comes after the others in the help. */
  isForOperators?: true;
};

type Definition<TOptions extends Inputs> = Help & {
  /** The options, and the arguments in their order: what the help shows, and how a text is read. */
  options: TOptions;
  /** An import can read what the command writes. So the format is CSV unless another one is chosen. */
  isExport?: true;
  /** The command itself writes the file of `--out`. */
  writesOut?: true;
  /** Returns what is printed. A command that prints while it writes returns nothing. */
  run: (options: CommonValues & Values<TOptions>, output: Output) => AsyncGenerator<Piece> | Promise<void>;
};

/** How the user started the command: by its name or through npm. */
export const invocation =
  process.env['npm_lifecycle_event'] === 'admin' ? 'npm run admin --' : 'warehouse-admin';

export const describeExamples = (commandLines: readonly string[]) =>
  `\nExamples:\n${commandLines.map((line) => `  ${invocation} ${line}`).join('\n')}\n`;

const COMMON = `\nOptions of all commands, such as --local, --json and --out: ${invocation} --help\n`;

export const defineGroup = (
  parent: Group,
  { name, description, help = () => '', examples, isForOperators }: Help,
): Group =>
  parent
    .command(name)
    .description(description)
    .helpGroup(isForOperators ? 'For operators:' : 'Commands:')
    .addHelpText('after', help)
    .addHelpText('after', `${describeExamples(examples)}${COMMON}`);

export const defineCommand = <const TOptions extends Inputs>(
  parent: Group,
  { options, isExport, writesOut, run, ...help }: Definition<TOptions>,
) => {
  const command = defineGroup(parent, help);
  addOptions(command, options);
  command.action(async () => {
    const common = parseOptions(command, commonOptions);
    if (common.utc) process.env['TZ'] = 'UTC';
    const output = createOutput(writesOut ? { ...common, out: undefined } : common, isExport);
    await writeFor(writesOut ? readerInTerminal() : output.reader, async () => {
      const pieces = run({ ...common, ...parseOptions(command, options) }, output);
      await (pieces instanceof Promise ? pieces : printPieces(pieces, output));
    });
  });
};

export const addOptions = (command: CommandUnknownOpts, options: Inputs) => {
  for (const schema of Object.values(options)) {
    if (isArgument(schema)) command.argument(shownOf(schema).flags, v.getDescription(schema));
    else command.addOption(toOption(schema));
  }
};

const shownOf = (schema: v.GenericSchema) => v.parse(Shown, v.getMetadata(schema));
const isArgument = (schema: v.GenericSchema) => !shownOf(schema).flags.startsWith('-');

const toOption = (schema: v.GenericSchema) => {
  const { flags, conflicts = [] } = shownOf(schema);
  const isMandatory = schema.type !== 'optional';
  return new Option(flags, v.getDescription(schema)).conflicts(conflicts).makeOptionMandatory(isMandatory);
};

/** Reads the texts of the command line. Refuses a text in the words of Commander. */
const parseOptions = <TOptions extends Inputs>(
  command: CommandUnknownOpts,
  options: TOptions,
): Values<TOptions> => {
  const names = Object.entries(options).flatMap(([name, schema]) => (isArgument(schema) ? [name] : []));
  const texts = names.map((name, index) => [name, command.processedArgs[index]]);
  const given = { ...command.optsWithGlobals(), ...Object.fromEntries(texts) };
  const { success, output, issues } = v.safeParse(v.object(options), given);
  if (success) return output;
  const [{ path, input, message }] = issues;
  const refused = options[String(path?.[0].key)];
  const flags = refused ? shownOf(refused).flags : '';
  const subject = flags.startsWith('-')
    ? `option '${flags}' argument '${input}' is invalid`
    : `command-argument value '${input}' is invalid for argument '${flags.replaceAll(/\W/g, '')}'`;
  return command.error(`error: ${subject}. ${message}`);
};
