import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { lateFrom } from '../../../shared/clients/lateness.ts';
import { toCatalogRow } from '../../../shared/storage/attribute-json.ts';
import { tables } from '../../../shared/tables.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import type { Finding } from '../../check/finding.ts';
import { readFindings } from '../../check/read-findings.ts';
import { cell } from '../../cli/output.ts';
import { withProgress } from '../../cli/terminal.ts';
import { namesOf, readClientTable, warehousesOf, withoutDoctors } from '../../clients/read-names.ts';
import { changesOf, type Session, snapshotsOf } from '../../deployment/session.ts';
import { type List, readList } from '../../lists/read-list.ts';
import type { CatalogItem } from '../../store/catalog-writer.ts';
import { createChangeReading } from './read-changes.ts';
import { createHistoryReading } from './read-history.ts';
import type { StockData } from './stock-data.ts';

const DEFAULT_DAYS = 30;
const { partitionKey: key } = tables.MaterialCodes;
/** A list may be large, so it is read rarely. It is read again because another admin may change it. */
const LISTS_READ_EVERY_MS = 5 * 60_000;
/** Once a day, everything is read again: the period moves on, and a restore may have added snapshots. */
const READ_ALL_AGAIN_AFTER_MS = DAY_MS;

type Options = {
  client?: string | undefined;
  since?: Date | undefined;
  /** The end of the period. Without it, the end is now. */
  until?: Date | undefined;
  maxEntries?: number | undefined;
};

/** Reads the stock once. */
export const collectStock = async (session: Session, options: Options): Promise<StockData> =>
  (await createStockReader(session, options).read(session.now)).data;

export type Stock = { version: string; data: StockData };

/** Refreshes the stock of a period. Reads no snapshot twice, and returns the same data until it changes. */
export const createStockReader = (session: Session, options: Options) => {
  let reading: Reading | undefined;
  let underWay: Promise<Stock> | undefined;

  const refreshOrStartAgain = async (now: Date): Promise<Stock> => {
    if (reading && now.getTime() - reading.startedAt.getTime() > READ_ALL_AGAIN_AFTER_MS) reading = undefined;
    reading ??= await startReading(session, options, now);
    const stock = await reading.refresh({ ...session, now });
    if (stock) return stock;
    reading = undefined;
    return refreshOrStartAgain(now);
  };

  return {
    read: (now: Date): Promise<Stock> => {
      underWay ??= refreshOrStartAgain(now).finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    /** Makes the next refresh read the lists again. */
    expireLists: () => reading?.expireLists(),
  };
};

type Reading = Awaited<ReturnType<typeof startReading>>;

const startReading = async (session: Session, options: Options, now: Date) => {
  const { deployment } = session;
  const since = options.since ?? new Date((options.until ?? now).getTime() - DEFAULT_DAYS * DAY_MS);
  const clients = await warehousesOf(session, options.client);
  const history = createHistoryReading(clients, { since, maxEntries: options.maxEntries });
  const changes = createChangeReading(clients, since);
  const lists = createListReading();
  let checked: { version: string; findings: Finding[]; nextAt: number } | undefined;
  let current: Stock | undefined;

  /** A check blocks all other requests, so it may use a tenth of the time. */
  const check = async (session: Session, { codes, orders }: Lists, version: string) => {
    const now = session.now.getTime();
    if (checked && (checked.version === version || now < checked.nextAt)) return checked;
    const reader = history.keptReader(snapshotsOf(session));
    const { until } = options;
    const startedAt = performance.now();
    const findings = await readFindings(session, clients, { until, codes, orders, reader });
    checked = { version, findings, nextAt: now + 10 * (performance.now() - startedAt) };
    return checked;
  };

  return {
    startedAt: now,

    /** Undefined if everything has to be read again, for example after a client was added. */
    refresh: async (session: Session): Promise<Stock | undefined> => {
      const { now } = session;
      const table = await readClientTable(session);
      const isOfAll = options.client === undefined;
      if (isOfAll && !isDeepStrictEqual(withoutDoctors(namesOf(table)), clients)) return undefined;
      const asOf = options.until ?? now;
      const range = { now, until: asOf };
      const knownSnapshots = await withProgress('Reading snapshots', undefined, (reach) =>
        history.refresh({ ...range, reader: snapshotsOf(session), reach }),
      );
      if (knownSnapshots === undefined) return undefined;
      const knownChanges = await withProgress('Reading changes', undefined, (reach) =>
        changes.refresh({ ...range, reader: changesOf(session), reach }),
      );
      const listed = await lists.refresh(session);
      const { findings, version: checkedVersion } = await check(
        session,
        listed,
        `${knownSnapshots}.${listed.version}`,
      );
      const lastSnapshotAt = history.lastSnapshotAt();
      const itemOf = new Map(table.clients.map((client) => [client.Client, client]));
      const late = lastSnapshotAt.map((at, index) => {
        const client = itemOf.get(clients[index] ?? '');
        return (client && lateFrom(client, at ?? undefined)) ?? null;
      });
      // The page also depends on which clients are late, and on the hour, because a new day may begin.
      const parts = [
        since.getTime(),
        knownSnapshots,
        knownChanges,
        listed.version,
        checkedVersion,
        Math.floor(asOf.getTime() / HOUR_MS),
        late.map((from) => [from, from !== null && from <= asOf.getTime()]),
      ];
      const version = hash('sha256', JSON.stringify(parts));
      if (current?.version === version) return current;
      const { codes: code, ...columns } = history.columns();
      const data = {
        what: deployment.what,
        madeAt: now.getTime(),
        since: since.getTime(),
        asOf: asOf.getTime(),
        clients,
        lateFrom: late,
        lastSnapshotAt,
        ...columns,
        ...changes.columns(),
        materials: { code, attributes: attributesOf(code, listed.codes) },
        findings,
      };
      current = { version, data };
      return current;
    },

    expireLists: lists.expire,
  };
};

type Lists = { codes: List; orders: List; version: number };

const createListReading = () => {
  let known: Lists = { codes: new Map(), orders: new Map(), version: 0 };
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    refresh: async (session: Session): Promise<Lists> => {
      const now = session.now.getTime();
      if (now - readAt < LISTS_READ_EVERY_MS) return known;
      const codes = await readList(session, 'MaterialCodes');
      const orders = await readList(session, 'PurchaseOrders');
      if (!isDeepStrictEqual([codes, orders], [known.codes, known.orders])) {
        known = { codes, orders, version: known.version + 1 };
      }
      readAt = now;
      return known;
    },
    expire: () => {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
};

/** The attributes of the list: the attribute `name` first, then those with the most values. */
const attributesOf = (
  codes: readonly string[],
  rows: ReadonlyMap<string, CatalogItem>,
): StockData['materials']['attributes'] => {
  const columns = new Map<string, (string | null)[]>();
  for (const [index, code] of codes.entries()) {
    for (const [name, value] of Object.entries(toCatalogRow(key, rows.get(code) ?? {}))) {
      if (name === key) continue;
      const column = columns.get(name) ?? codes.map(() => null);
      columns.set(name, column);
      column[index] = cell(value);
    }
  }
  const rankOf = ({ name, value }: { name: string; value: (string | null)[] }) =>
    /^name$/i.test(name) ? codes.length + 1 : value.filter((text) => text !== null).length;
  return [...columns]
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => rankOf(other) - rankOf(one));
};
