import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { BYTE_ORDER_MARK } from '../cli/csv.ts';
import { WrongUsage } from '../cli/failure.ts';
import { writeFileAtomically } from '../cli/out-file.ts';
import { type Column, type Sink, writeJson, writeRows } from '../cli/output.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import { clientsOf, type Session, snapshotsOf } from '../deployment/session.ts';
import { findSnapshot } from './find.ts';
import { entryColumns, toDocument } from './print.ts';

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
  ...entryColumns,
];

/** One snapshot after the other, so that any number of them takes no more memory than one. */
export const exportSnapshots = async (session: Session, options: Options) => {
  const { which, client, since, out } = options;
  if (which !== undefined && since) throw new WrongUsage('Give a snapshot or --since, not both.');
  const clients = await clientsOf(session, client);
  const counts = { snapshots: 0, entries: 0, damaged: 0 };
  await withProgress('Exporting snapshots:', undefined, async (reach) => {
    const tallied = async function* () {
      for await (const snapshot of snapshotsFor(session, options, clients, counts)) {
        yield snapshot;
        counts.snapshots += 1;
        counts.entries += snapshot.entries.length;
        reach(counts.snapshots);
      }
    };
    const write = (sink: Sink) => writeSnapshots(session, sink, tallied());
    await (out === undefined ? write(session.print) : writeFileAtomically(out, write));
  });
  const damaged = counts.damaged > 0 ? ` Left out, since damaged: ${counts.damaged}.` : '';
  const entries = counted(counts.entries, 'entry', 'entries');
  say(`Written: ${counted(counts.snapshots, 'snapshot')} of ${entries}.${damaged}`);
};

async function* snapshotsFor(
  session: Session,
  { which, client, since }: Options,
  clients: readonly string[],
  counts: { damaged: number },
): AsyncGenerator<Snapshot> {
  if (which !== undefined) {
    yield await findSnapshot(session, which, client);
    return;
  }
  const reader = snapshotsOf(session);
  for (const name of clients) {
    yield* reader.iterate(name, session.now, { since }, ({ message }) => {
      counts.damaged += 1;
      say(message);
    });
  }
}

const writeSnapshots = async ({ fileFormat }: Session, sink: Sink, snapshots: AsyncIterable<Snapshot>) => {
  if (fileFormat.kind === 'json') return writeJson(sink, documentsOf(snapshots));
  await sink(BYTE_ORDER_MARK);
  return writeRows(sink, fileFormat, columns, linesOf(snapshots));
};

async function* documentsOf(snapshots: AsyncIterable<Snapshot>) {
  for await (const snapshot of snapshots) yield toDocument(snapshot);
}

async function* linesOf(snapshots: AsyncIterable<Snapshot>): AsyncGenerator<Line> {
  for await (const snapshot of snapshots) {
    for (const entry of snapshot.entries) yield { ...entry, snapshot };
  }
}
