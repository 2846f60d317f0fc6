import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignInClient } from '../../shared/clients/client.ts';
import { readClients } from '../../shared/clients/read-clients.ts';
import { describeError } from '../../shared/describe-error.ts';
import { log } from '../log.ts';

/** Clients with the same user name are in this order: clients that can sign in, locked clients, removed clients. */
export type ClientsByUserName = ReadonlyMap<string, readonly SignInClient[]>;

export type Clock = {
  now: () => Date;
  /** This clock is never set back, unlike the date. It may stop while Lambda freezes the process. */
  monotonicMs: () => number;
};

export type ClientsCopy = ReturnType<typeof clientsCopy>;

type ClientsCopyOptions = { dynamodb: DynamoDBClient; table: string; clock: Clock };

/** For all pages and attempts of one read. The function's timeout is a second longer. */
const READ_TIMEOUT_MS = 8_000;
/** A failed read may take seconds. During this pause, no request reads again: it gets the copy, or fails at once. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** Keeps a copy of the whole table in this process. If each request read its client, DynamoDB would throttle the item of a busy client. */
export const clientsCopy = ({ dynamodb, table, clock }: ClientsCopyOptions) => {
  let copy: { byUserName: ClientsByUserName; ageMs: () => number } | undefined;
  let failure: { error: unknown; ageMs: () => number } | undefined;

  /** Uses the clock that measured more time: a clock that was set back or stopped measures too little. */
  const measureAge = () => {
    const date = clock.now().getTime();
    const monotonic = clock.monotonicMs();
    return () => Math.max(clock.now().getTime() - date, clock.monotonicMs() - monotonic);
  };

  const readTable = async (): Promise<ClientsByUserName> => {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const { clients, damaged: damagedNames } = await readClients(SignInClient, { dynamodb, table, signal });
    const withoutHash = clients.filter(({ Salt, Hash, RemovedAt }) => !RemovedAt && !(Salt && Hash));
    for (const name of [...damagedNames, ...withoutHash.map(({ Client }) => Client)])
      log.warn('client-damaged', { client: name });
    // This error becomes a 503, so a warehouse that sends before the first client is added will retry.
    if (clients.length === 0) throw new Error('The table Clients has no client that can be read.');
    const sorted = clients.toSorted((a, b) => rankOf(a) - rankOf(b));
    return Map.groupBy(sorted, ({ UserName }) => UserName);
  };

  const refresh = async () => {
    if (failure && failure.ageMs() < PAUSE_AFTER_FAILURE_MS) throw failure.error;
    const ageMs = measureAge();
    try {
      copy = { byUserName: await readTable(), ageMs };
      return copy.byUserName;
    } catch (error) {
      log.error('clients-unreadable', { error: describeError(error) }, { UnreadableClients: 1 });
      failure = { error, ageMs: measureAge() };
      throw error;
    }
  };

  return {
    /** Reads the table if the copy is older than `maxAgeMs`. If the read fails, returns a copy younger than `keptForMs`. */
    read: async (maxAgeMs: number, keptForMs = maxAgeMs) => {
      if (copy && copy.ageMs() < maxAgeMs) return copy.byUserName;
      try {
        return await refresh();
      } catch (error) {
        if (copy && copy.ageMs() < keptForMs) return copy.byUserName;
        throw error;
      }
    },
  };
};

const rankOf = ({ LockedAt, RemovedAt }: SignInClient) => (LockedAt ? 1 : 0) + (RemovedAt ? 2 : 0);
