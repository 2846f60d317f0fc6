import * as v from 'valibot';
import { isDoctorClient } from '../cli/arguments.ts';
import { Failure, WrongUsage } from '../cli/failure.ts';
import { type Column, type Format, type Rows, writeRecord, writeRows } from '../cli/output.ts';
import { print, say } from '../cli/terminal.ts';
import { changeReader } from '../store/change-reader.ts';
import { snapshotReader } from '../store/snapshot-reader.ts';
import { type Deployment, openDeployment, whereOptions } from './deployment.ts';

/** The options of every command. */
const Common = v.object({
  ...whereOptions,
  json: v.optional(v.boolean()),
  csv: v.optional(v.boolean()),
  separator: v.picklist([',', ';']),
});
type Common = v.InferOutput<typeof Common>;

/** The deployment that a command works on, and the format of its data. */
export type Session = {
  deployment: Deployment;
  format: Format;
  /** An export is read back, so it is never a table for people. */
  fileFormat: Exclude<Format, { kind: 'table' }>;
  now: Date;
  printRows<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>): Promise<void>;
  printRecord(record: Record<string, unknown>): Promise<void>;
};

/** Takes the command itself, because the common options may be anywhere on its line. */
export const openSession = async (command: { optsWithGlobals(): unknown }): Promise<Session> => {
  const common = v.parse(Common, command.optsWithGlobals());
  const format = formatOf(common);
  const deployment = await openDeployment(common);
  return {
    deployment,
    format,
    fileFormat: common.json ? { kind: 'json' } : { kind: 'csv', separator: common.separator },
    now: new Date(),
    printRows: (columns, rows) => writeRows(print, format, columns, rows),
    printRecord: (record) => writeRecord(print, format, record),
  };
};

const formatOf = ({ json, csv, separator }: Common): Format => {
  if (json && csv) throw new WrongUsage('Give --json or --csv, not both.');
  if (json) return { kind: 'json' };
  if (csv) return { kind: 'csv', separator };
  // A pipe has no width.
  return { kind: 'table', width: process.stdout.columns || undefined };
};

/** All clients of the settings, or the named one, which may have left the settings. */
export const clientsOf = async (session: Session, client?: string): Promise<string[]> => {
  const names = session.deployment.clients.map(({ name }) => name);
  if (client === undefined) return names;
  if (names.includes(client) || (await hasRecords(session, client))) return [client];
  throw new Failure(
    `${session.deployment.what} has no client ${client}, and no record of one. It has: ${names.join(', ')}.`,
  );
};

/** Like clientsOf, but leaves the doctor's clients out where there are others. */
export const warehousesOf = async (session: Session, client?: string): Promise<string[]> => {
  const clients = await clientsOf(session, client);
  const doctors = clients.filter(isDoctorClient);
  const others = clients.filter((name) => !isDoctorClient(name));
  const [first] = doctors;
  if (first === undefined || others.length === 0) return clients;
  say(`Left out: ${doctors.join(', ')}, where the doctor writes test data; --client ${first} shows it.`);
  return others;
};

const hasRecords = async (session: Session, client: string) => {
  const newest = { newestFirst: true, pageSize: 1 };
  let hasDamaged = false;
  const onDamaged = () => {
    hasDamaged = true;
  };
  for await (const _ of snapshotsOf(session).listHeaders(client, newest, onDamaged)) return true;
  for await (const _ of changesOf(session).iterate(client, newest)) return true;
  return hasDamaged;
};

export const snapshotsOf = ({ deployment, now }: Session) =>
  snapshotReader(deployment.dynamodb, deployment.tables.BalanceSnapshots, now);

export const changesOf = ({ deployment }: Session) =>
  changeReader(deployment.dynamodb, deployment.tables.ChangeTimestamps);

/** Reports a damaged snapshot, which is then left out. */
export const sayDamage = ({ message }: Error) => say(message);
