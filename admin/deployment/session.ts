import * as v from 'valibot';
import { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { readClients } from '../../shared/clients/read-clients.ts';
import { isDoctorClient } from '../cli/arguments.ts';
import { Failure } from '../cli/failure.ts';
import { type Write, writeFileAtomically } from '../cli/out-file.ts';
import type { Column, Format, Rows } from '../cli/output.ts';
import { print, say } from '../cli/terminal.ts';
import { chooseFormat, csvFormat, formatOptions } from '../formats/choose-format.ts';
import { writeRecord, writeRows } from '../formats/write-rows.ts';
import { changeReader } from '../store/change-reader.ts';
import { compareBy } from '../store/order.ts';
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

const CLIENTS_WITHIN_MS = 60_000;

/**
 * What a person may see of all clients, in the order of their names, of those that are not removed, and the names of damaged items.
 */
export const readClientTable = async ({ deployment: { dynamodb, tables } }: Session) => {
  const signal = AbortSignal.timeout(CLIENTS_WITHIN_MS);
  const reading = { dynamodb, table: tables.Clients, signal, isConsistent: true };
  const { clients, damaged } = await readClients(ClientWithoutHashes, reading);
  clients.sort(compareBy(({ Client }) => Client));
  return { clients, active: clients.filter(({ RemovedAt }) => !RemovedAt), damaged: damaged.sort() };
};

/** A damaged item may be one of a warehouse with records. */
export const namesOf = ({ active, damaged }: Awaited<ReturnType<typeof readClientTable>>) => [
  ...active.map(({ Client }) => Client),
  ...damaged,
];

/** All clients that are not removed, or the named client, which may be removed. */
export const clientsOf = async (session: Session, client?: string): Promise<string[]> => {
  const names = namesOf(await readClientTable(session));
  const { what } = session.deployment;
  if (client === undefined) {
    if (names.length === 0) say(`${what} has no clients. To add one: \`clients add NAME\`.`);
    return names;
  }
  if (names.includes(client) || (await hasRecords(session, client))) return [client];
  throw new Failure(
    `${what} has no client ${client} and no records of such a client. \`clients list\` shows the clients.`,
  );
};

/** Without the doctor's clients if there are others. */
export const withoutDoctors = (names: string[]) => {
  const others = names.filter((name) => !isDoctorClient(name));
  return others.length === 0 ? names : others;
};

/** Like clientsOf, but without the doctor's clients if there are others. */
export const warehousesOf = async (session: Session, client?: string): Promise<string[]> => {
  const clients = await clientsOf(session, client);
  const warehouses = withoutDoctors(clients);
  const [first, ...others] = clients.filter((name) => !warehouses.includes(name));
  if (first !== undefined) {
    const doctors = [first, ...others].join(', ');
    say(`Without the clients of the doctor: ${doctors}. To show them: --client ${first}.`);
  }
  return warehouses;
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

/** Reports a damaged snapshot, which the command then skips. */
export const sayDamage = ({ message }: Error) => say(message);
