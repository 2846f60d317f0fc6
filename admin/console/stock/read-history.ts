import type { Snapshot } from '../../../shared/storage/snapshot.ts';
import type { Reach } from '../../cli/terminal.ts';
import { mapConcurrently } from '../../store/map-concurrently.ts';
import type { DamagedSnapshot, SnapshotHeader, SnapshotReader } from '../../store/snapshot-reader.ts';
import { createHistory } from './stock-history.ts';

/** The limit for the first read of all clients together. Each client has an equal share. */
const MAX_ENTRIES = 3_000_000;
/** The check compares the latest snapshot of a client with the previous one. */
const ALWAYS_READ = 2;
/** A snapshot becomes visible with its last write, so a large one may appear after a newer one. */
export const LATEST_WRITE_MS = 120_000;

type Client = {
  name: string;
  known: Set<string>;
  /** The last two snapshots, oldest first. */
  latest: Snapshot[];
  /** When the last snapshot was received, also before the period. */
  lastAt: number | null;
  historySince: number;
};

type List = { client: Client; headers: readonly SnapshotHeader[] };

type Refresh = { reader: SnapshotReader; now: Date; until: Date; reach: Reach };

/** Reads the snapshots of a period, and later the new ones only, because a snapshot never changes. */
export const createHistoryReading = (
  names: readonly string[],
  { since, maxEntries = MAX_ENTRIES }: { since: Date; maxEntries?: number | undefined },
) => {
  const history = createHistory();
  const damaged = new Map<string, string>();
  const clients = names.map(
    (name): Client => ({ name, known: new Set(), latest: [], lastAt: null, historySince: since.getTime() }),
  );
  /** All snapshots received before this time are known. */
  let settledAt: Date | undefined;

  const onDamaged = ({ snapshotId, message }: DamagedSnapshot) => {
    damaged.set(snapshotId, message);
  };

  const listNew = async (client: Client, { reader, until }: Refresh) => {
    const range = { since: settledAt ?? since, until };
    const headers = await Array.fromAsync(reader.listHeaders(client.name, range, onDamaged));
    const before = { until: since, newestFirst: true, pageSize: 1 };
    if (headers.length === 0 && client.lastAt === null) {
      for await (const { receivedAt } of reader.listHeaders(client.name, before, () => {})) {
        client.lastAt = receivedAt.getTime();
        break;
      }
    }
    return headers.filter(({ snapshotId }) => !client.known.has(snapshotId) && !damaged.has(snapshotId));
  };

  const listAllNew = (refresh: Refresh) =>
    mapConcurrently(
      clients,
      async (client): Promise<List> => ({ client, headers: await listNew(client, refresh) }),
    );

  const firstToRead = (headers: readonly SnapshotHeader[]) => {
    let entries = 0;
    const isTooMuch = ({ entryCount }: SnapshotHeader, index: number) => {
      entries += entryCount;
      return entries > maxEntries / clients.length && headers.length - index > ALWAYS_READ;
    };
    return headers.findLastIndex(isTooMuch) + 1;
  };

  const isOutOfOrder = ({ client, headers }: List) => {
    const [first] = headers;
    const isEarlier = first !== undefined && first.receivedAt.getTime() < (client.lastAt ?? 0);
    return isEarlier || firstToRead(headers) > 0;
  };

  const add = (client: Client, header: SnapshotHeader, entries: Snapshot['entries'] = []) => {
    const { snapshotId: id, receivedAt, entryCount } = header;
    const at = receivedAt.getTime();
    history.add({ id, client: clients.indexOf(client), at, entries, entryCount });
    client.known.add(id);
    client.lastAt = at;
  };

  const addNew = async ({ client, headers }: List, { reader, until, reach }: Refresh) => {
    const index = firstToRead(headers);
    for (const header of headers.slice(0, index)) add(client, header);
    const first = headers[index];
    if (!first) return;
    if (index > 0) client.historySince = first.receivedAt.getTime();
    const range = { since: first.receivedAt, until };
    for await (const snapshot of reader.iterate(client.name, range, onDamaged)) {
      if (client.known.has(snapshot.snapshotId)) continue;
      add(client, { ...snapshot, entryCount: snapshot.entries.length, parts: 1 }, snapshot.entries);
      client.latest = [...client.latest, snapshot].slice(-ALWAYS_READ);
      reach();
    }
  };

  return {
    /** Returns the number of known snapshots. Undefined if a late snapshot makes it necessary to read all again. */
    refresh: async (refresh: Refresh): Promise<number | undefined> => {
      if (!settledAt || settledAt <= refresh.until) {
        const lists = await listAllNew(refresh);
        if (settledAt && lists.some(isOutOfOrder)) return undefined;
        await mapConcurrently(lists, (list) => addNew(list, refresh));
        settledAt = new Date(refresh.now.getTime() - LATEST_WRITE_MS);
      }
      return clients.reduce((count, { known }) => count + known.size, damaged.size);
    },

    /** A reader that returns the latest snapshots from memory. */
    keptReader: (reader: SnapshotReader): Pick<SnapshotReader, 'listHeaders' | 'read'> => ({
      listHeaders: reader.listHeaders,
      read: async (name, id) => {
        const kept = clients.find((client) => client.name === name)?.latest;
        return kept?.find(({ snapshotId }) => snapshotId === id) ?? reader.read(name, id);
      },
    }),

    lastSnapshotAt: () => clients.map(({ lastAt }) => lastAt),

    columns: () => ({
      ...history.columns(),
      historySince: clients.map((client) => client.historySince),
      damaged: [...damaged.values()],
    }),
  };
};
