import { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { readClients } from '../../shared/clients/read-clients.ts';
import { isDoctorClient } from '../cli/arguments.ts';
import { Failure } from '../cli/failure.ts';
import { say } from '../cli/terminal.ts';
import { changesOf, type Session, sayDamage, snapshotsOf } from '../deployment/session.ts';
import { compareBy } from '../store/order.ts';

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
  let hasDamaged = false;
  const { batch, change } = await readNewest(session, client, () => {
    hasDamaged = true;
  });
  return batch !== undefined || change !== undefined || hasDamaged;
};

/** The newest batch and the newest change of a client. */
export const readNewest = async (session: Session, client: string, onDamaged = sayDamage) => {
  const newest = { newestFirst: true, pageSize: 1 };
  const [batch, change] = await Promise.all([
    readFirst(snapshotsOf(session).listHeaders(client, newest, onDamaged)),
    readFirst(changesOf(session).iterate(client, newest)),
  ]);
  return { batch, change };
};

const readFirst = async <T>(list: AsyncIterable<T>) => {
  for await (const item of list) return item;
  return undefined;
};
