import { changeReader } from '../storage/change-reader.ts';
import { restoreMark } from '../storage/restore-mark.ts';
import { snapshotReader } from '../storage/snapshot-reader.ts';
import { type Deployment, openDeployment, type Where } from './deployment.ts';

export type Session = {
  deployment: Deployment;
  /** With these options, another process can open the deployment itself. */
  where: Where;
  now: Date;
};

export const openSession = async (where: Where): Promise<Session> => {
  const deployment = await openDeployment(where);
  return { deployment, where, now: deployment.now() };
};

export const snapshotsOf = ({ deployment, now }: Session) =>
  snapshotReader(deployment.dynamodb, deployment.tables.BalanceSnapshots, now);

export const restoreMarkOf = ({ deployment }: Session) =>
  restoreMark(deployment.dynamodb, deployment.tables.BalanceSnapshots);

export const changesOf = ({ deployment }: Session) =>
  changeReader(deployment.dynamodb, deployment.tables.ChangeTimestamps);
