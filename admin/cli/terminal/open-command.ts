import * as v from 'valibot';
import { Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { isDeviceOrPipe } from '../../formats/write-file.ts';
import { writeRecord, writeRows } from '../../formats/write-rows.ts';
import { WrongUsage } from '../../text/failure.ts';
import type { Column, Csv, Format, Rows, Sink } from '../../text/output.ts';
import { writeOutFile } from './interruption.ts';
import { print, say } from './terminal.ts';

const Options = v.object({
  ...Where.entries,
  json: v.optional(v.boolean()),
  csv: v.optional(v.boolean()),
  separator: v.optional(v.picklist([',', ';'])),
  decimal: v.optional(v.picklist(['.', ','])),
  bom: v.optional(v.boolean(), true),
  out: v.optional(v.string()),
});
type Options = v.InferOutput<typeof Options>;

/** Writes data, and returns notices for the person who gets the data. */
type Write = (sink: Sink) => Promise<readonly string[]>;

/** A session whose command can write data. */
export type CommandSession = Session & {
  format: Format;
  /** The format of an export: CSV in place of a table for people, because an import cannot read such a table. */
  fileFormat: Exclude<Format, { kind: 'table' }>;
  /** The options for a file to import. */
  readOptions: Pick<Options, 'decimal' | 'separator'>;
  /** Writes data to standard output, or to the file of `--out`. */
  write(write: Write): Promise<void>;
  printRows<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>): Promise<void>;
  /** Shows each row before it takes the next one. A file has all rows so far at any moment. `planned` are the expected rows. */
  printEachRow<TRow>(
    columns: readonly Column<TRow>[],
    rows: AsyncGenerator<TRow>,
    planned: readonly TRow[],
  ): Promise<void>;
  printRecord(record: Record<string, unknown>): Promise<void>;
};

export const isForPeople = ({ format }: CommandSession) => format.kind === 'table';

/** `optsWithGlobals` also has the common options, which may be anywhere on the command line. */
export const openCommand = async (command: { optsWithGlobals(): unknown }): Promise<CommandSession> => {
  const options = v.parse(Options, command.optsWithGlobals());
  const format = chooseFormat(options);
  const session = await openSession(options);
  const write = (data: Write) => writeOut(options.out, data);
  return {
    ...session,
    format,
    fileFormat: format.kind === 'table' ? csvFormat(options) : format,
    readOptions: { decimal: options.decimal, separator: options.separator },
    write,
    printRows: (columns, rows) => write((sink) => writeRows(sink, format, columns, rows)),
    printEachRow: async (columns, rows, planned) => {
      const { out } = options;
      if (out === undefined || isDeviceOrPipe(out))
        return writeOut(out, (sink) => writeRows(sink, format, columns, rows, planned), UNBUFFERED);
      await writeAfterEachRow(out, rows, (sink, shown) => writeRows(sink, format, columns, shown));
    },
    printRecord: (record) => write((sink) => writeRecord(sink, format, record)),
  };
};

const writeOut = async (out: string | undefined, write: Write, buffered?: number) => {
  const notices = await (out === undefined ? write(print) : writeOutFile(out, write, buffered));
  tellWritten(out, notices);
};

const tellWritten = (out: string | undefined, notices: readonly string[]) => {
  for (const notice of notices) say(notice);
  if (out !== undefined) say(`Written: ${out}`);
};

const UNBUFFERED = 0;

/** Writes the whole file again after each row, because an incomplete workbook or JSON array cannot be read. */
const writeAfterEachRow = async <TRow>(
  out: string,
  rows: AsyncGenerator<TRow>,
  writeShown: (sink: Sink, shown: readonly TRow[]) => ReturnType<Write>,
) => {
  const shown: TRow[] = [];
  let isOver = false;
  while (!isOver) {
    // The next row comes only once the new file is open.
    const notices = await writeOutFile(out, async (sink) => {
      const next = await rows.next();
      if (next.done) isOver = true;
      else shown.push(next.value);
      return writeShown(sink, shown);
    });
    if (isOver) tellWritten(out, notices);
  }
};

const chooseFormat = (options: Options): Format => {
  const kind = chooseKind(options);
  if (kind === 'csv') return csvFormat(options);
  // A pipe has no width.
  return kind ? { kind } : { kind: 'table', width: process.stdout.columns || undefined };
};

/** A spreadsheet that separates cells by semicolons uses a decimal comma. */
const csvFormat = ({ separator = ',', decimal = separator === ';' ? ',' : '.', bom }: Options): Csv => ({
  kind: 'csv',
  separator,
  decimal,
  hasByteOrderMark: bom,
});

const endings = ['csv', 'json', 'xlsx'] as const;

const chooseKind = ({ json, csv, out }: Options) => {
  if (json && csv) throw new WrongUsage('Give --json or --csv, not both.');
  const flag = json ? 'json' : csv ? 'csv' : undefined;
  if (out === undefined) return flag;
  const ending = endings.find((kind) => out.toLowerCase().endsWith(`.${kind}`));
  if (!ending && !flag) throw new WrongUsage(`The name ${out} must end in .csv, .json or .xlsx.`);
  if (flag && ending && flag !== ending) {
    throw new WrongUsage(`--${flag} and the ending of ${out} are different formats. Leave one of them out.`);
  }
  return ending ?? flag;
};
