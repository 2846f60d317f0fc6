import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { WrongUsage } from '../cli/failure.ts';
import type { Sink } from '../cli/output.ts';
import { type Period, readRange } from '../cli/period.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import { clientsOf } from '../clients/read-names.ts';
import { type Session, snapshotsOf } from '../deployment/session.ts';
import { writeJson, writeRows } from '../formats/write-rows.ts';
import type { Range } from '../store/query-client.ts';
import { lineColumns, toDocument, toLines } from './columns.ts';
import { findSnapshot } from './find-snapshot.ts';

type Options = {
  which?: string | undefined;
  client?: string | undefined;
  since?: Period | undefined;
  at?: Period | undefined;
};

export const exportSnapshots = async (session: Session, options: Options) => {
  if (options.which !== undefined && options.since) {
    throw new WrongUsage('Give a snapshot or --since, not both.');
  }
  const range = readRange(options);
  const clients = await clientsOf(session, options.client);
  const counts = { snapshots: 0, entries: 0, damaged: 0 };
  await withProgress('Exporting snapshots:', undefined, async (reach) => {
    const countedSnapshots = async function* () {
      for await (const snapshot of readSnapshots(session, options, range, clients, counts)) {
        yield snapshot;
        counts.snapshots += 1;
        counts.entries += snapshot.entries.length;
        reach();
      }
    };
    await session.write((sink) => writeSnapshots(session, sink, countedSnapshots()));
  });
  const damaged = counts.damaged > 0 ? ` Left out because they are damaged: ${counts.damaged}.` : '';
  const entries = counted(counts.entries, 'entry', 'entries');
  say(`Written: ${counted(counts.snapshots, 'snapshot')} of ${entries}.${damaged}`);
};

async function* readSnapshots(
  session: Session,
  { which, client }: Options,
  range: Range,
  clients: readonly string[],
  counts: { damaged: number },
): AsyncGenerator<Snapshot> {
  if (which !== undefined) {
    yield await findSnapshot(session, which, { client, ...range });
    return;
  }
  for (const name of clients) {
    yield* snapshotsOf(session).iterate(name, range, ({ message }) => {
      counts.damaged += 1;
      say(message);
    });
  }
}

const writeSnapshots = ({ fileFormat }: Session, sink: Sink, snapshots: AsyncIterable<Snapshot>) =>
  fileFormat.kind === 'json'
    ? writeJson(
        sink,
        mapSnapshots(snapshots, (snapshot) => [toDocument(snapshot)]),
      )
    : writeRows(sink, fileFormat, lineColumns, mapSnapshots(snapshots, toLines));

async function* mapSnapshots<T>(snapshots: AsyncIterable<Snapshot>, map: (snapshot: Snapshot) => T[]) {
  for await (const snapshot of snapshots) yield* map(snapshot);
}
