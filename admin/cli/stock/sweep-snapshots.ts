import { HOUR_MS } from '../../../shared/time.ts';
import { describeNoClients, namesOf, readClientTable } from '../../clients/client-table.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession } from '../../deployment/session.ts';
import { snapshotSweeper, type UncommittedParts } from '../../storage/snapshot-sweeper.ts';
import { explain, Failure } from '../../text/failure.ts';
import type { Column } from '../../text/output.ts';
import { countOf } from '../../text/words.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { toTable } from '../terminal/output.ts';
import { withProgress } from '../terminal/terminal.ts';

type Options = Where & { client?: string | undefined; dryRun?: boolean | undefined };

const columns: Column<UncommittedParts>[] = [
  { name: 'Client', title: 'Warehouse', value: ({ client }) => client },
  { name: 'SnapshotId', title: 'Batch', value: ({ snapshotId }) => snapshotId },
  { name: 'ReceivedAt', title: 'Received', value: ({ receivedAt }) => receivedAt },
  { name: 'RequestId', title: 'Request', value: ({ requestId }) => requestId },
  { name: 'Parts', value: ({ partNumbers }) => partNumbers },
];

export async function* sweepSnapshots({ client, dryRun, ...where }: Options) {
  const session = await openSession(where);
  const { deployment, now } = session;
  const sweeper = snapshotSweeper(deployment.dynamodb, deployment.tables.BalanceSnapshots);
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  const found: UncommittedParts[] = [];
  // The name of --client is not checked, because a client that has only uncommitted parts has no visible records.
  const clients = client === undefined ? namesOf(await readClientTable(session)) : [client];
  if (clients.length === 0) yield describeNoClients(deployment.name);
  const damages: string[] = [];
  const onDamage = ({ message }: Error) => void damages.push(message);
  for (const name of clients) found.push(...(await sweeper.find(name, anHourAgo, now, onDamage)));
  yield* damages;
  if (!dryRun) await removeAll(sweeper, found);
  yield toTable(columns, found);
  yield `${dryRun ? 'To remove' : 'Removed'}: ${countParts(found)}.`;
}

const removeAll = (sweeper: ReturnType<typeof snapshotSweeper>, found: readonly UncommittedParts[]) => {
  const parts = found.flatMap((batch) =>
    batch.partNumbers.map((part) => ({ ...batch, partNumbers: [part] })),
  );
  const failAfter = (count: number, beginning: string) => {
    const done = `Removed: ${countParts(parts.slice(0, count))}, of ${countParts(parts)}.`;
    return new Failure(`${beginning}\n${done} Run the same command again to remove the other parts.`);
  };
  return runInterruptible((signal) =>
    withProgress('Removing', parts.length, async (onProgress) => {
      for (const [index, part] of parts.entries()) {
        if (signal.aborted) throw failAfter(index, 'Ended early.');
        try {
          await sweeper.remove(part);
        } catch (error) {
          throw failAfter(index, explain(error));
        }
        onProgress();
      }
    }),
  );
};

const countParts = (found: readonly UncommittedParts[]) => {
  const parts = found.reduce((count, { partNumbers }) => count + partNumbers.length, 0);
  const batches = new Set(found.map(({ snapshotId }) => snapshotId));
  return `${countOf(parts, 'part')} of ${countOf(batches.size, 'batch', 'batches')}`;
};
