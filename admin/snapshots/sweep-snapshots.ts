import { HOUR_MS } from '../../shared/time.ts';
import { explain, Failure } from '../cli/failure.ts';
import { columnsOf } from '../cli/output.ts';
import { say, withProgress } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import { clientsOf } from '../clients/read-names.ts';
import { type Session, sayDamage } from '../deployment/session.ts';
import { snapshotSweeper, type Uncommitted } from '../store/snapshot-sweeper.ts';
import { snapshotColumns } from './columns.ts';

type Options = { client?: string | undefined; dryRun?: boolean | undefined };

const columns = [...snapshotColumns, ...columnsOf<Uncommitted>({ RequestId: 'requestId', Parts: 'parts' })];

export const sweepSnapshots = async (session: Session, { client, dryRun }: Options) => {
  const { deployment, now } = session;
  const sweeper = snapshotSweeper(deployment.dynamodb, deployment.tables.BalanceSnapshots);
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  const found: Uncommitted[] = [];
  // Not clientsOf: a client that has only uncommitted parts has no visible records.
  const clients = client === undefined ? await clientsOf(session) : [client];
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
