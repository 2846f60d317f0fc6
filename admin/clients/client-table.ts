import { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { readClients } from '../../shared/clients/read-clients.ts';
import { changesOf, type Session, snapshotsOf } from '../deployment/session.ts';
import type { DamagedSnapshot } from '../storage/snapshot-items.ts';
import { Failure } from '../text/failure.ts';
import { message, step } from '../text/message.ts';
import { compareBy } from '../text/words.ts';

const CLIENTS_WITHIN_MS = 60_000;

/**
 * All clients without hashes, sorted by name. `active` are the clients that are not removed. `damagedNames` are the names of
 * damaged items.
 */
export const readClientTable = async ({ deployment: { dynamodb, tables } }: Session) => {
  const signal = AbortSignal.timeout(CLIENTS_WITHIN_MS);
  const reading = { dynamodb, table: tables.Clients, signal, isConsistent: true };
  const { clients, damaged } = await readClients(ClientWithoutHashes, reading);
  clients.sort(compareBy(({ Client }) => Client));
  return { clients, active: clients.filter(({ RemovedAt }) => !RemovedAt), damagedNames: damaged.sort() };
};

/** A damaged item may belong to a client that has records. */
export const namesOf = ({ active, damagedNames }: Awaited<ReturnType<typeof readClientTable>>) => [
  ...active.map(({ Client }) => Client),
  ...damagedNames,
];

export const describeNoClients = (deploymentName: string) =>
  `There are no clients in ${deploymentName}. To add a client: \`clients add NAME\`.`;

export const noClient = (name: string, deploymentName: string, sentenceEnd = '') =>
  new Failure(
    message`There is no client ${name} in ${deploymentName}${sentenceEnd}. ${step('seeClients')} shows the clients.`,
  );

/** The doctor's clients have such names. They send materials that no warehouse has. */
export const isDoctorClient = (name: string) => /^doctor/i.test(name);

export const withoutDoctors = (names: string[]) => {
  const others = names.filter((name) => !isDoctorClient(name));
  return others.length === 0 ? names : others;
};

export const requireSomeRecord = async (session: Session, client: string) => {
  const { lastBatchAt, change } = await readNewest(session, client);
  if (lastBatchAt !== undefined || change) return;
  throw noClient(client, session.deployment.name, ', and no record of such a client');
};

/**
 * When the newest batch of a client came, and the newest change. Damaged batches count, because they came, too. `damages` are the newest of
 * them. Batches of the future, which somebody wrote by hand, are left out, as in the stock.
 */
export const readNewest = async (session: Session, client: string) => {
  const newest = { newestFirst: true, pageSize: 1 };
  const damages: DamagedSnapshot[] = [];
  const [batch, change] = await Promise.all([
    readFirst(
      snapshotsOf(session).listHeaders(client, newest, (damage) => damages.push(damage)),
      ({ receivedAt }) => receivedAt <= session.now,
    ),
    readFirst(changesOf(session).iterate(client, newest)),
  ]);
  const times = [batch, ...damages]
    .flatMap((found) => found?.receivedAt.getTime() ?? [])
    .filter((time) => time <= session.now.getTime());
  return { lastBatchAt: times.length > 0 ? Math.max(...times) : undefined, change, damages };
};

const readFirst = async <T>(items: AsyncIterable<T>, isWanted: (item: T) => boolean = () => true) => {
  for await (const item of items) if (isWanted(item)) return item;
  return undefined;
};
