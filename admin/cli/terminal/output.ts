import { isDeviceOrPipe } from '../../formats/write-file.ts';
import { writeJson, writeRecord, writeRows } from '../../formats/write-rows.ts';
import { WrongUsage } from '../../text/failure.ts';
import type { Message } from '../../text/message.ts';
import type { Column, Csv, Format, Rows, Sink } from '../../text/output.ts';
import { PROGRAM, type Reader, readerHere } from '../../text/reader.ts';
import { formatAge } from '../../text/time.ts';
import { writeOutFile } from './interruption.ts';
import type { CommonValues } from './options.ts';
import { print, say } from './terminal.ts';

type Options = Pick<CommonValues, 'json' | 'csv' | 'separator' | 'decimal' | 'bom' | 'out'>;

export type Table<TRow = unknown> = { columns: readonly Column<TRow>[]; rows: Rows<TRow> };

/** What a command returns piece by piece: a message for the person, or data. */
export type Piece = Message | Table | { record: Record<string, unknown> } | { documents: Rows<unknown> };

/** Checks that the columns are those of the rows. */
export const toTable = <TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>): Table<TRow> => ({
  columns,
  rows,
});

export type Output = ReturnType<typeof createOutput>;

export const readerInTerminal = (): Reader => ({ ...readerHere(), namesZone: true });

/** Where and how a command prints. An export is CSV in place of a table for people, because an import cannot read such a table. */
export const createOutput = (options: Options, isExport = false) => {
  const { out } = options;
  const format = chooseFormat(options, isExport);
  let hasData = false;

  const write = async (data: Write, buffered?: number) => {
    const notices = await (out === undefined ? data(print) : writeOutFile(out, data, buffered));
    tellWritten(out, notices);
  };

  const writePiece = (sink: Sink, piece: Exclude<Piece, Message>) => {
    if ('record' in piece) return writeRecord(sink, format, piece.record);
    if ('documents' in piece) return writeJson(sink, piece.documents);
    return writeRows(sink, format, piece.columns, piece.rows);
  };

  return {
    format,
    isForPeople: format.kind === 'table',
    reader: format.kind === 'json' || format.kind === 'csv' ? PROGRAM : readerInTerminal(),
    print: async (piece: Piece) => {
      if (typeof piece === 'string' || 'parts' in piece) return say(piece);
      if (hasData) await print('\n');
      hasData = true;
      await write((sink) => writePiece(sink, piece));
    },
    /** Shows each row before it takes the next one. A file has all rows so far at any moment. `planned` are the expected rows. */
    printEachRow: async <TRow>(
      columns: readonly Column<TRow>[],
      rows: AsyncGenerator<TRow>,
      planned: readonly TRow[],
    ) => {
      if (out === undefined || isDeviceOrPipe(out))
        return write((sink) => writeRows(sink, format, columns, rows, planned), UNBUFFERED);
      await writeAfterEachRow(out, rows, (sink, shown) => writeRows(sink, format, columns, shown));
    },
  };
};

/** A column only for tables that people read, because an age changes every second. */
export const ageColumn = <TRow>(
  { isForPeople }: Pick<Output, 'isForPeople'>,
  now: Date,
  timeOf: (row: TRow) => unknown,
  name = 'Age',
): Column<TRow>[] => {
  const value = (row: TRow) => {
    const time = timeOf(row);
    return time instanceof Date ? formatAge(time, now) : undefined;
  };
  return isForPeople ? [{ name, value, align: 'right' }] : [];
};

/** Prints each piece before the command makes the next one. The command gets an error of printing where it returned the piece. */
export const printPieces = async (pieces: AsyncGenerator<Piece>, output: Output) => {
  for (let next = await pieces.next(); !next.done; ) {
    const failed = await output.print(next.value).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    next = await (failed ? pieces.throw(failed.error) : pieces.next());
  }
};

/** Writes data, and returns notices for the person who gets the data. */
type Write = (sink: Sink) => Promise<readonly string[]>;

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

const chooseFormat = (options: Options, isExport: boolean): Format => {
  const kind = chooseKind(options) ?? (isExport ? 'csv' : 'table');
  if (kind === 'csv') return csvFormat(options);
  // A pipe has no width.
  return kind === 'table' ? { kind, width: process.stdout.columns || undefined } : { kind };
};

/** A spreadsheet that separates cells by semicolons uses a decimal comma. */
const csvFormat = ({
  separator = ',',
  decimal = separator === ';' ? ',' : '.',
  bom = true,
}: Options): Csv => ({
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
