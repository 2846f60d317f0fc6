import * as v from 'valibot';
import { snapshotReader } from '../shared/store/snapshot-reader.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { WrongUsage } from './failure.ts';
import { type Column, type Format, type Rows, type Sink, writeRecord, writeRows } from './output.ts';

/** The options that every command takes. */
const Common = v.object({
  local: v.optional(v.boolean()),
  data: v.string(),
  stack: v.string(),
  region: v.optional(v.string()),
  profile: v.optional(v.string()),
  json: v.optional(v.boolean()),
  csv: v.optional(v.boolean()),
  separator: v.picklist([',', ';']),
});
type Common = v.InferOutput<typeof Common>;

/** What a command works with: the deployment, and a place for its data. */
export type Session = {
  deployment: Deployment;
  format: Format;
  now: Date;
  /** The data of a command goes to standard output, and nothing else does. */
  print: Sink;
  printRows<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>): Promise<void>;
  printRecord(record: Record<string, unknown>): Promise<void>;
};

/** Called with the command itself, since the common options may stand anywhere on its line. */
export const openSession = async (command: { optsWithGlobals(): unknown }): Promise<Session> => {
  const common = v.parse(Common, command.optsWithGlobals());
  const format = formatOf(common);
  const deployment = await openDeployment(common);
  return {
    deployment,
    format,
    now: new Date(),
    print,
    printRows: (columns, rows) => writeRows(print, format, columns, rows),
    printRecord: (record) => writeRecord(print, format, record),
  };
};

const formatOf = ({ json, csv, separator }: Common): Format => {
  if (json && csv) throw new WrongUsage('Give --json or --csv, not both.');
  if (json) return { kind: 'json' };
  if (csv) return { kind: 'csv', separator };
  // In a pipe there is no width to keep to.
  return { kind: 'table', width: process.stdout.columns };
};

const print: Sink = (text) =>
  new Promise((resolve) => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });

/** The clients that a command is about: the one that is named, be it in the settings or of earlier times, or all. */
export const clientsOf = ({ deployment }: Session, client?: string): string[] =>
  client === undefined ? deployment.clients.map(({ name }) => name) : [client];

export const snapshotsOf = ({ deployment }: Session) =>
  snapshotReader(deployment.dynamodb, deployment.tables.BalanceSnapshots);
