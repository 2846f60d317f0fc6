import { toCatalogRow } from '../../../shared/storage/attribute-json.ts';
import { tables } from '../../../shared/tables.ts';
import { readFindings } from '../../check/read-findings.ts';
import { cell } from '../../cli/output.ts';
import { withProgress } from '../../cli/terminal.ts';
import { DAY_MS } from '../../cli/time.ts';
import { changesOf, type Session, snapshotsOf, warehousesOf } from '../../deployment/session.ts';
import { readList } from '../../lists/read-list.ts';
import type { CatalogItem } from '../../store/catalog-writer.ts';
import { createChangeCounts } from './change-counts.ts';
import type { StockData } from './stock-data.ts';
import { createHistory } from './stock-history.ts';

const DEFAULT_DAYS = 30;
const { partitionKey: key } = tables.MaterialCodes;

/** Reads all that the console shows of balances. The check reads the latest snapshots once more. */
export const collectStock = async (
  session: Session,
  options: { client?: string | undefined; since?: Date | undefined },
): Promise<StockData> => {
  const { now, deployment } = session;
  const since = options.since ?? new Date(now.getTime() - DEFAULT_DAYS * DAY_MS);
  const clients = await warehousesOf(session, options.client);
  const { codes: code, ...history } = await readHistory(session, clients, since);
  const changes = await readChanges(session, clients, since);
  const codes = await readList(session, 'MaterialCodes');
  const findings = await readFindings(session, clients, { codes });
  return {
    what: deployment.what,
    madeAt: now.getTime(),
    since: since.getTime(),
    asOf: now.getTime(),
    clients,
    silenceHours: clients.map(() => null),
    lastSnapshotAt: clients.map((_, client) => lastAt(history.snapshots, client)),
    historySince: clients.map(() => since.getTime()),
    ...history,
    ...changes,
    materials: { code, attributes: attributesOf(code, codes) },
    findings,
  };
};

const lastAt = ({ client, at }: StockData['snapshots'], wanted: number) =>
  at[client.lastIndexOf(wanted)] ?? null;

const readHistory = (session: Session, clients: readonly string[], since: Date) =>
  withProgress('Reading snapshots', undefined, async (reach) => {
    const reader = snapshotsOf(session);
    const history = createHistory();
    const damaged: string[] = [];
    for (const [client, name] of clients.entries()) {
      const snapshots = reader.iterate(name, { since }, ({ message }) => damaged.push(message));
      for await (const { snapshotId: id, receivedAt, entries } of snapshots) {
        history.add({ id, client, at: receivedAt.getTime(), entries });
        reach();
      }
    }
    return { ...history.columns(), damaged };
  });

/** Reads all changes: the page goes by receipt, but the table sorts by the client's clock, which may be slow. */
const readChanges = (session: Session, clients: readonly string[], since: Date) =>
  withProgress('Reading changes', undefined, async (reach) => {
    const reader = changesOf(session);
    const counts = createChangeCounts(clients.length);
    for (const [client, name] of clients.entries()) {
      for await (const { timestamp, receivedAt } of reader.iterate(name)) {
        const at = Date.parse(receivedAt || timestamp.replace(',', '.'));
        if (at >= since.getTime() && at <= session.now.getTime()) counts.add(client, at);
        reach();
      }
    }
    return counts.columns();
  });

/** The columns that an admin has stored beside the codes: a name first, then the columns with the most values. */
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
