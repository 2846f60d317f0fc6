import * as v from 'valibot';
import { type Write, writeFileAtomically } from '../cli/out-file.ts';
import type { Column, Format, Rows } from '../cli/output.ts';
import { print, say } from '../cli/terminal.ts';
import { chooseFormat, csvFormat, formatOptions } from '../formats/choose-format.ts';
import { writeRecord, writeRows } from '../formats/write-rows.ts';
import { changeReader } from '../store/change-reader.ts';
import { snapshotReader } from '../store/snapshot-reader.ts';
import { type Deployment, openDeployment, whereOptions } from './deployment.ts';

const Common = v.object({ ...whereOptions, ...formatOptions });

export type Session = {
  deployment: Deployment;
  format: Format;
  /** Never a table, because an import reads an export. */
  fileFormat: Exclude<Format, { kind: 'table' }>;
  /** The decimal sign of the imported file, if the user has set it. */
  decimal: '.' | ',' | undefined;
  now: Date;
  /** Writes data to standard output, or to the file of `--out`. */
  write(write: Write): Promise<void>;
  printRows<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>): Promise<void>;
  printRecord(record: Record<string, unknown>): Promise<void>;
};

/** Needs the command itself, because the common options may be anywhere on its line. */
export const openSession = async (command: { optsWithGlobals(): unknown }): Promise<Session> => {
  const common = v.parse(Common, command.optsWithGlobals());
  const format = chooseFormat(common);
  const deployment = await openDeployment(common);
  const write = (data: Write) => writeOut(common.out, data);
  return {
    deployment,
    format,
    fileFormat: format.kind === 'table' ? csvFormat(common) : format,
    decimal: common.decimal,
    now: new Date(),
    write,
    printRows: (columns, rows) => write((sink) => writeRows(sink, format, columns, rows)),
    printRecord: (record) => write((sink) => writeRecord(sink, format, record)),
  };
};

const writeOut = async (out: string | undefined, write: Write) => {
  if (out === undefined) return write(print);
  await writeFileAtomically(out, write);
  say(`Written: ${out}`);
};

export const snapshotsOf = ({ deployment, now }: Session) =>
  snapshotReader(deployment.dynamodb, deployment.tables.BalanceSnapshots, now);

export const changesOf = ({ deployment }: Session) =>
  changeReader(deployment.dynamodb, deployment.tables.ChangeTimestamps);

/** Reports a damaged snapshot, which the command then skips. */
export const sayDamage = ({ message }: Error) => say(message);
