import { toCatalogRow } from '../../shared/storage/attribute-json.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { tables } from '../../shared/tables.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { type Session, snapshotsOf } from '../deployment/session.ts';
import { type List, readList } from '../lists/read-list.ts';
import { DamagedSnapshot, type SnapshotReader } from '../store/snapshot-reader.ts';
import type { Latest } from './comparison.ts';
import { findFaults } from './find-faults.ts';
import { type Finding, sortFindings } from './finding.ts';
import { unitsIn } from './units.ts';

/** Reads the lists, unless they are given, and the latest snapshots of these clients. Returns what is wrong. */
export const readFindings = async (
  session: Session,
  clients: readonly string[],
  given: { codes?: List } = {},
): Promise<Finding[]> => {
  const codes = given.codes ?? (await readList(session, 'MaterialCodes'));
  const orders = await readList(session, 'PurchaseOrders');
  const { latest, findings } = await readSnapshots(session, clients);
  if (latest.length === 0) say('There are no balances to compare the lists with.');
  const rows = [...codes.values()].map((item) => toCatalogRow(tables.MaterialCodes.partitionKey, item));
  return sortFindings([...findings, ...findFaults({ codes: rows, orders: [...orders.keys()], latest })]);
};

const readSnapshots = (session: Session, clients: readonly string[]) =>
  withProgress('Checking the latest snapshots', clients.length, async (reach) => {
    const latest: Latest[] = [];
    const findings: Finding[] = [];
    for (const [index, client] of clients.entries()) {
      reach(index);
      const read = await readLatest(snapshotsOf(session), client);
      if (read.finding) findings.push(read.finding);
      if (read.latest) latest.push(read.latest);
    }
    return { latest, findings };
  });

type Read = { latest?: Latest; finding?: Finding };

/** A damaged latest snapshot is not replaced by an earlier one, which would be compared as the latest. */
const readLatest = async (reader: SnapshotReader, client: string): Promise<Read> => {
  const headers = reader.listHeaders(client, { newestFirst: true, pageSize: 2 });
  const readNext = async (): Promise<Snapshot | DamagedSnapshot | undefined> => {
    try {
      const { done, value: header } = await headers.next();
      return done ? undefined : await reader.read(client, header.snapshotId);
    } catch (error) {
      if (error instanceof DamagedSnapshot) return error;
      throw error;
    }
  };
  const damaged = ({ snapshotId, message }: DamagedSnapshot, advice: string): Finding => ({
    kind: 'damaged-snapshot',
    client,
    subject: snapshotId,
    detail: `${message} ${advice}`,
  });
  const newest = await readNext();
  if (newest === undefined) {
    return { finding: { kind: 'no-snapshot', client, subject: client, detail: NO_SNAPSHOT } };
  }
  if (newest instanceof DamagedSnapshot) {
    const advice = `It was left out of this check; the next one that ${client} sends takes its place.`;
    return { finding: damaged(newest, advice) };
  }
  const { entries } = newest;
  const previous = await readNext();
  if (previous instanceof DamagedSnapshot) {
    const advice = `It is the one before the latest, whose units were not compared with it. When ${client} has sent another, it is no longer needed here.`;
    return { latest: { client, entries }, finding: damaged(previous, advice) };
  }
  return { latest: { client, entries, previous: previous && unitsIn(previous.entries) } };
};

const NO_SNAPSHOT =
  'Has sent no snapshot, or none that is still kept, so nothing of it was checked. ' +
  'See to it that its warehouse system sends its balances, or remove the client if it is used no more.';
