import type { Snapshot } from '../../shared/snapshot.ts';
import type { StockBalanceEntry } from '../../shared/stock-balance.ts';
import { BYTE_ORDER_MARK } from '../csv.ts';
import { writeFileWhole } from '../out-file.ts';
import { type Column, type Sink, writeJson, writeRows } from '../output.ts';
import { clientsOf, type Session, snapshotsOf } from '../session.ts';
import { say, showProgress } from '../terminal.ts';
import { counted } from '../words.ts';
import { findSnapshot } from './find.ts';
import { toDocument } from './print.ts';

type Options = {
  which?: string | undefined;
  client?: string | undefined;
  since?: Date | undefined;
  out?: string | undefined;
};

type Line = StockBalanceEntry & { snapshot: Snapshot };

const columns: Column<Line>[] = [
  { name: 'Client', value: ({ snapshot }) => snapshot.client },
  { name: 'SnapshotId', value: ({ snapshot }) => snapshot.snapshotId },
  { name: 'ReceivedAt', value: ({ snapshot }) => snapshot.receivedAt.toISOString() },
  { name: 'MaterialCode', value: ({ MaterialCode }) => MaterialCode },
  { name: 'StockBalance', value: ({ StockBalance }) => StockBalance },
  { name: 'StockBalanceUnit', value: ({ StockBalanceUnit }) => StockBalanceUnit },
  { name: 'PurchaseOrders', value: ({ PurchaseOrders }) => PurchaseOrders },
];

/** One snapshot after the other, so that any number of them takes no more memory than one. */
export const exportSnapshots = async (session: Session, options: Options) => {
  const counts = { snapshots: 0, entries: 0, damaged: 0 };
  const progress = showProgress('Exporting snapshots:');
  const tallied = async function* () {
    for await (const snapshot of snapshotsFor(session, options, counts)) {
      yield snapshot;
      counts.snapshots += 1;
      counts.entries += snapshot.entries.length;
      progress.reach(counts.snapshots);
    }
  };
  const write = (sink: Sink) => writeSnapshots(session, sink, tallied());
  await (options.out === undefined ? write(session.print) : writeFileWhole(options.out, write));
  progress.end();
  const damaged = counts.damaged > 0 ? ` Left out, since damaged: ${counts.damaged}.` : '';
  say(
    `Written: ${counted(counts.snapshots, 'snapshot')} of ${counted(counts.entries, 'entry', 'entries')}.${damaged}`,
  );
};

async function* snapshotsFor(
  session: Session,
  { which, client, since }: Options,
  counts: { damaged: number },
): AsyncGenerator<Snapshot> {
  if (which !== undefined) {
    yield await findSnapshot(session, which, client);
    return;
  }
  const reader = snapshotsOf(session);
  for (const name of clientsOf(session, client)) {
    yield* reader.each(name, session.now, { since }, ({ message }) => {
      counts.damaged += 1;
      say(message);
    });
  }
}

const writeSnapshots = async ({ format }: Session, sink: Sink, snapshots: AsyncIterable<Snapshot>) => {
  if (format.kind === 'json') {
    return writeJson(sink, documentsOf(snapshots));
  }
  const separator = format.kind === 'csv' ? format.separator : ',';
  await sink(BYTE_ORDER_MARK);
  return writeRows(sink, { kind: 'csv', separator }, columns, linesOf(snapshots));
};

async function* documentsOf(snapshots: AsyncIterable<Snapshot>) {
  for await (const snapshot of snapshots) yield toDocument(snapshot);
}

async function* linesOf(snapshots: AsyncIterable<Snapshot>): AsyncGenerator<Line> {
  for await (const snapshot of snapshots) {
    for (const entry of snapshot.entries) yield { ...entry, snapshot };
  }
}
