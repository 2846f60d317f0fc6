import * as v from 'valibot';
import { isDoctorClient } from '../cli/arguments.ts';
import { Failure, WrongUsage } from '../cli/failure.ts';
import { type Column, type Format, type Rows, type Sink, writeRecord, writeRows } from '../cli/output.ts';
import { print, say } from '../cli/terminal.ts';
import { changeReader } from '../store/change-reader.ts';
import { snapshotReader } from '../store/snapshot-reader.ts';
import { type Deployment, openDeployment } from './deployment.ts';

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
  /** For files, which are CSV unless JSON is asked for: a table for people could not be read back. */
  fileFormat: Exclude<Format, { kind: 'table' }>;
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
    fileFormat: common.json ? { kind: 'json' } : { kind: 'csv', separator: common.separator },
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
  return { kind: 'table', width: process.stdout.columns || undefined };
};

/** The clients that a command is about: all of the settings, or the one that is named, also one of earlier times. */
export const clientsOf = async (session: Session, client?: string): Promise<string[]> => {
  const names = session.deployment.clients.map(({ name }) => name);
  if (client === undefined) return names;
  if (names.includes(client) || (await hasRecords(session, client))) return [client];
  throw new Failure(
    `${session.deployment.what} has no client ${client}, and no record of one. It has: ${names.join(', ')}.`,
  );
};

/** Likewise, without the doctor's where there are others: its tens of thousands of test balances would bury theirs. */
export const warehousesOf = async (session: Session, client?: string): Promise<string[]> => {
  const clients = await clientsOf(session, client);
  const { doctors = [], others = [] } = Object.groupBy(clients, (name) =>
    isDoctorClient(name) ? 'doctors' : 'others',
  );
  const [one] = doctors;
  if (one === undefined || others.length === 0) return clients;
  say(`Left out: ${doctors.join(', ')}, where the doctor writes test data; --client ${one} shows it.`);
  return others;
};

const hasRecords = async (session: Session, client: string) => {
  const newest = { newestFirst: true, pageSize: 1 };
  let hasDamaged = false;
  const onDamaged = () => {
    hasDamaged = true;
  };
  for await (const _ of snapshotsOf(session).listHeaders(client, session.now, newest, onDamaged)) return true;
  for await (const _ of changesOf(session).iterate(client, newest)) return true;
  return hasDamaged;
};

export const snapshotsOf = ({ deployment }: Session) =>
  snapshotReader(deployment.dynamodb, deployment.tables.BalanceSnapshots);

export const changesOf = ({ deployment }: Session) =>
  changeReader(deployment.dynamodb, deployment.tables.ChangeTimestamps);
