import { HOUR_MS } from '../../../shared/time.ts';
import { describeNoClients, namesOf, readClientTable } from '../../clients/client-table.ts';
import { snapshotSweeper, type Uncommitted } from '../../storage/snapshot-sweeper.ts';
import { explain, Failure } from '../../text/failure.ts';
import { columnsOf } from '../../text/output.ts';
import { counted } from '../../text/words.ts';
import type { CommandSession } from '../terminal/open-command.ts';
import { say, withProgress } from '../terminal/terminal.ts';

type Options = { client?: string | undefined; dryRun?: boolean | undefined };

const columns = columnsOf<Uncommitted>({
  Client: 'client',
  SnapshotId: 'snapshotId',
  ReceivedAt: 'receivedAt',
  RequestId: 'requestId',
  Parts: 'parts',
});

export const sweepSnapshots = async (session: CommandSession, { client, dryRun }: Options) => {
  const { deployment, now } = session;
  const sweeper = snapshotSweeper(deployment.dynamodb, deployment.tables.BalanceSnapshots);
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  const found: Uncommitted[] = [];
  // A named client that has only uncommitted parts has no visible records.
  const clients = client === undefined ? namesOf(await readClientTable(session)) : [client];
  if (clients.length === 0) say(describeNoClients(deployment.what));
  const sayDamage = ({ message }: Error) => say(message);
  for (const name of clients) found.push(...(await sweeper.find(name, anHourAgo, now, sayDamage)));
  if (!dryRun) await removeAll(sweeper, found);
  await session.printRows(columns, found);
  say(`${dryRun ? 'To remove' : 'Removed'}: ${countParts(found)}.`);
};

const removeAll = (sweeper: ReturnType<typeof snapshotSweeper>, found: readonly Uncommitted[]) =>
  withProgress('Removing', found.length, async (reach) => {
    for (const [index, uncommitted] of found.entries()) {
      try {
        await sweeper.remove(uncommitted);
      } catch (error) {
        const done = `Removed: ${countParts(found.slice(0, index))}, of ${countParts(found)}.`;
        throw new Failure(`${explain(error)}\n${done} Run the same command again to remove the others.`);
      }
      reach();
    }
  });

const countParts = (found: readonly Uncommitted[]) => {
  const parts = found.reduce((count, { parts }) => count + parts.length, 0);
  return `${counted(parts, 'part')} of ${counted(found.length, 'request')}`;
};
