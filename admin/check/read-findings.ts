import { type CatalogName, catalogs, toCatalogRow } from '../../shared/storage/catalog.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { type Session, snapshotsOf } from '../deployment/session.ts';
import { type CatalogItem, catalogWriter } from '../store/catalog-writer.ts';
import { DamagedSnapshot, type SnapshotReader } from '../store/snapshot-reader.ts';
import type { Finding, Latest } from './finding.ts';
import { findFaults, inOrder } from './findings.ts';
import { unitsIn } from './units.ts';

type List = ReadonlyMap<string, CatalogItem>;

export const readList = ({ deployment }: Session, name: CatalogName): Promise<List> =>
  withProgress(`Reading ${name}`, undefined, (reach) =>
    catalogWriter(deployment.dynamodb, name, deployment.tables[name]).rows(reach),
  );

/** Reads the lists, those that are not given, and the latest snapshots of these clients; says what is wrong with them. */
export const readFindings = async (
  session: Session,
  clients: readonly string[],
  given: { codes?: List } = {},
): Promise<Finding[]> => {
  const codes = given.codes ?? (await readList(session, 'MaterialCodes'));
  const orders = await readList(session, 'PurchaseOrders');
  const { latest, findings } = await readSnapshots(session, clients);
  if (latest.length === 0) say('There are no balances to compare the lists with.');
  const rows = [...codes.values()].map((item) => toCatalogRow(catalogs.MaterialCodes.key, item));
  return inOrder([...findings, ...findFaults({ codes: rows, orders: [...orders.keys()], latest })]);
};

const readSnapshots = (session: Session, clients: readonly string[]) =>
  withProgress('Checking the latest snapshots', clients.length, async (reach) => {
    const latest: Latest[] = [];
    const findings: Finding[] = [];
    for (const [index, client] of clients.entries()) {
      reach(index);
      const read = await readLatest(snapshotsOf(session), client, session.now);
      findings.push(...read.findings);
      if (read.latest) latest.push(read.latest);
    }
    return { latest, findings };
  });

type Read = { latest?: Latest; findings: Finding[] };

/** Of a damaged one, no other takes the place: it would be compared as if it were the latest. */
const readLatest = async (reader: SnapshotReader, client: string, now: Date): Promise<Read> => {
  const heads = reader.listHeaders(client, now, { newestFirst: true, pageSize: 2 });
  const readNext = async (): Promise<Snapshot | DamagedSnapshot | undefined> => {
    try {
      const { done, value: head } = await heads.next();
      return done ? undefined : await reader.read(client, head.snapshotId, now);
    } catch (error) {
      if (error instanceof DamagedSnapshot) return error;
      throw error;
    }
  };
  const newest = await readNext();
  if (newest === undefined) return { findings: [noSnapshot(client)] };
  if (newest instanceof DamagedSnapshot) return { findings: [damagedLatest(client, newest)] };
  const { entries } = newest;
  const before = await readNext();
  if (before instanceof DamagedSnapshot) {
    return { latest: { client, entries }, findings: [damagedBefore(client, before)] };
  }
  return { latest: { client, entries, previous: before && unitsIn(before.entries) }, findings: [] };
};

const noSnapshot = (client: string): Finding => ({
  kind: 'no-snapshot',
  client,
  subject: client,
  detail:
    'Has sent no snapshot, or none that is still kept, so nothing of it was checked. ' +
    'See to it that its warehouse system sends its balances, or remove the client if it is used no more.',
});

const damagedLatest = (client: string, { snapshotId, message }: DamagedSnapshot): Finding => ({
  kind: 'damaged-snapshot',
  client,
  subject: snapshotId,
  detail: `${message} It was left out of this check; the next one that ${client} sends takes its place.`,
});

const damagedBefore = (client: string, { snapshotId, message }: DamagedSnapshot): Finding => ({
  kind: 'damaged-snapshot',
  client,
  subject: snapshotId,
  detail: `${message} It is the one before the latest, whose units were not compared with it. When ${client} has sent another, it is no longer needed here.`,
});
