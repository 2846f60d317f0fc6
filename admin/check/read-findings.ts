import { type CatalogName, catalogs, toCatalogRow } from '../../shared/catalog.ts';
import type { Snapshot } from '../../shared/snapshot.ts';
import { catalogEditor } from '../../shared/store/catalog-editor.ts';
import { DamagedSnapshot, type SnapshotReader } from '../../shared/store/snapshot-reader.ts';
import { type Session, snapshotsOf } from '../session.ts';
import { say } from '../terminal.ts';
import { type Finding, findFaults, inOrder, type Latest } from './findings.ts';

/** Reads the lists and the latest snapshots of these clients, and says what is wrong with them. */
export const readFindings = async (session: Session, clients: readonly string[]): Promise<Finding[]> => {
  const [codes, orders] = await Promise.all([
    readList(session, 'MaterialCodes'),
    readList(session, 'PurchaseOrders'),
  ]);
  const latest: Latest[] = [];
  const damaged: Finding[] = [];
  for (const client of clients) {
    const read = await readLatest(snapshotsOf(session), client, session.now);
    damaged.push(...read.damaged);
    if (read.latest) latest.push(read.latest);
    else if (read.damaged.length === 0) say(`${client} has no snapshot.`);
  }
  if (latest.length === 0) say('There are no balances to compare the lists with.');
  return inOrder([...damaged, ...findFaults({ codes: codes.rows, orders: orders.keys, latest })]);
};

const readList = async ({ deployment }: Session, name: CatalogName) => {
  const { key } = catalogs[name];
  const items = await catalogEditor(deployment.dynamodb, name, deployment.tables[name]).rows();
  return { keys: [...items.keys()], rows: [...items.values()].map((item) => toCatalogRow(key, item)) };
};

type Read = { latest?: Latest; damaged: Finding[] };

/** Of a damaged one, no other takes the place: it would be compared as if it were the latest. */
const readLatest = async (reader: SnapshotReader, client: string, now: Date): Promise<Read> => {
  const damaged: Finding[] = [];
  const onDamaged = (subject: string, { message }: DamagedSnapshot) => {
    const detail = `${message} It was left out of this check; the next one that ${client} sends takes its place.`;
    damaged.push({ kind: 'damaged-snapshot', client, subject, detail });
  };
  const heads = reader.heads(client, now, { newestFirst: true, pageSize: 2 });
  const readNext = async (): Promise<Snapshot | undefined> => {
    let subject = '';
    try {
      const { done, value: head } = await heads.next();
      if (done) return undefined;
      subject = head.snapshotId;
      return await reader.read(client, subject, now);
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      onDamaged(subject, error);
      return undefined;
    }
  };
  const newest = await readNext();
  if (!newest) return { damaged };
  const before = await readNext();
  return { latest: { client, entries: newest.entries, previous: before?.entries }, damaged };
};
