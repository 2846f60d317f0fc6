import { toCatalogRow } from '../../shared/storage/attribute-json.ts';
import { tables } from '../../shared/tables.ts';
import { type Column, columnsOf } from '../cli/output.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { type Session, snapshotsOf } from '../deployment/session.ts';
import { type List, readList } from '../lists/read-list.ts';
import { mapConcurrently } from '../store/map-concurrently.ts';
import { skipDamaged } from '../store/snapshot-items.ts';
import type { SnapshotReader } from '../store/snapshot-reader.ts';
import type { Latest } from './comparison.ts';
import { findFaults } from './find-faults.ts';
import { type Finding, severityOf, sortFindings } from './finding.ts';
import { suddenChanges } from './sudden-changes.ts';

export const findingColumns: Column<Finding>[] = [
  { name: 'Severity', value: ({ kind }) => severityOf(kind) },
  ...columnsOf<Finding>({ Kind: 'kind', Client: 'client', Subject: 'subject', Detail: 'detail' }),
];

type Reader = Pick<SnapshotReader, 'listHeaders' | 'read'>;
type Given = { codes?: List; orders?: List; reader?: Reader; until?: Date | undefined };

/** Reads the lists, unless they are given, and the latest snapshots of these clients. */
export const readFindings = async (
  session: Session,
  clients: readonly string[],
  { until, reader = snapshotsOf(session), ...given }: Given = {},
): Promise<Finding[]> => {
  const codes = given.codes ?? (await readList(session, 'MaterialCodes'));
  const orders = given.orders ?? (await readList(session, 'PurchaseOrders'));
  const reads = await readSnapshots(reader, clients, until);
  const latest = reads.flatMap((read) => read.latest ?? []);
  const findings = reads.flatMap((read) => read.findings);
  if (latest.length === 0) say('There are no balances to compare the lists with.');
  const rows = [...codes.values()].map((item) => toCatalogRow(tables.MaterialCodes.partitionKey, item));
  return sortFindings([...findings, ...findFaults({ codes: rows, orders: [...orders.keys()], latest })]);
};

const readSnapshots = (reader: Reader, clients: readonly string[], until: Date | undefined) =>
  withProgress('Checking the latest snapshots', clients.length, (reach) =>
    mapConcurrently(clients, (client) => {
      reach();
      return readLatest(reader, client, until);
    }),
  );

type Read = { latest?: Latest; findings: Finding[] };

/**
 * Compares the latest snapshot with the previous one immediately, to save memory. Does not replace a damaged latest
 * snapshot by an earlier one, because the check would treat that as the latest.
 */
const readLatest = async (reader: Reader, client: string, until: Date | undefined): Promise<Read> => {
  const headers = reader.listHeaders(client, { until, newestFirst: true, pageSize: 2 });
  const findings: Finding[] = [];
  const readNext = (advice: string) =>
    skipDamaged(
      async () => {
        const { done, value: header } = await headers.next();
        return done ? undefined : await reader.read(client, header.snapshotId);
      },
      ({ snapshotId: subject, message }) => {
        findings.push({ kind: 'damaged-snapshot', client, subject, detail: `${message} ${advice}` });
      },
    );
  const latest = await readNext(`This check left it out. The next snapshot of ${client} replaces it.`);
  if (!latest) {
    if (findings.length > 0) return { findings };
    return { findings: [{ kind: 'no-snapshot', client, subject: client, detail: NO_SNAPSHOT }] };
  }
  const previous = await readNext(
    `So the latest snapshot was not compared with it. The check no longer needs it after the next snapshot of ${client}.`,
  );
  return {
    latest: { client, entries: latest.entries },
    findings: previous ? suddenChanges(previous, latest) : findings,
  };
};

const NO_SNAPSHOT =
  'Has sent no snapshot, or all have expired, so nothing was checked. ' +
  'Make sure that its warehouse system sends balances, or remove the client if it is no longer used.';
