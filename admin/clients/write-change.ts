import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../shared/clients/client.ts';
import { readClient, type StoredClient, writeClient } from '../../shared/clients/write-client.ts';
import type { Session } from '../deployment/session.ts';
import { explain, Failure } from '../text/failure.ts';
import type { ClientChange } from './client-changes.ts';
import { noClient, readClientTable } from './client-table.ts';
import { describeSlot, sharingNotices } from './slots.ts';

/** Throws if the client does not exist or is removed. */
export const findClient = async ({ deployment }: Session, name: string): Promise<StoredClient> => {
  const found = await readClient(deployment.dynamodb, deployment.tables.Clients, name);
  if (!found) throw noClient(name, deployment.name);
  const { RemovedAt } = found.client;
  if (!RemovedAt) return found;
  throw new Failure(`${name} was removed at ${RemovedAt}. \`clients add ${name}\` adds a new client.`);
};

/** Writes a change, and returns the written client. Throws a Failure that says whether anything was changed. */
export const writeChange = async (
  session: Session,
  { next, message, password }: ClientChange,
  before?: StoredClient,
) => {
  const { deployment } = session;
  const Version = (before?.client.Version ?? 0) + 1;
  const client: Client = { ...next, ChangedBy: await deployment.caller(), Version };
  await writeOrExplain(deployment, client, before);
  const { UserName: userName } = client;
  const formerUserName = before?.client.UserName ?? userName;
  const newPassword = client.RemovedAt ? null : password;
  const notices = await describeSharing(session, client, before?.client);
  if (newPassword !== undefined || userName !== formerUserName) {
    const change = { userName, formerUserName, password: newPassword };
    await deployment.keepPassword?.(change).catch((error: unknown) => {
      notices.push(`outputs.json was not updated: ${explain(error)}`);
    });
  }
  return { client, message: [message, ...notices].join(' ') };
};

/** Another admin may have given the same slot or user name at the same time. */
const describeSharing = async (session: Session, client: Client, before: Client | undefined) => {
  const holds = ({ RemovedAt, UserName, ...slot }: Client) => [RemovedAt, UserName, describeSlot(slot)];
  if (client.RemovedAt || (before && isDeepStrictEqual(holds(client), holds(before)))) return [];
  try {
    return sharingNotices((await readClientTable(session)).active, new Set([client.Client]));
  } catch (error) {
    return [`The other clients cannot be read: ${explain(error)} \`clients list\` names shared slots.`];
  }
};

const writeOrExplain = async (
  { dynamodb, tables }: Session['deployment'],
  client: Client,
  before: StoredClient | undefined,
) => {
  const { Client: name, Version } = client;
  let failure: string | undefined;
  try {
    if (await writeClient(dynamodb, tables.Clients, client, before)) return;
  } catch (error) {
    failure = explain(error);
  }
  const advice = `\`clients show ${name}\` shows the client.`;
  const stored = await readClient(dynamodb, tables.Clients, name).catch(() => {
    if (failure === undefined) return undefined;
    throw new Failure(
      `${failure} It is not known whether ${name} was changed. ${advice} If ${name} has a new password that nobody has seen, \`clients rotate ${name} --again\` replaces it.`,
    );
  });
  const { client: current } = stored ?? {};
  // After a lost response, the write may have succeeded, and somebody else may have changed the client since.
  const hasNewPassword = client.Hash !== undefined && client.Hash !== before?.client.Hash;
  if (isDeepStrictEqual(current, client) || (hasNewPassword && current?.Hash === client.Hash)) return;
  if (failure && current?.Version === before?.client.Version)
    throw new Failure(`${failure} Nothing was changed.`);
  const outcome =
    current?.Version === Version
      ? 'Nothing was changed by this command.'
      : 'The change of this command was not made, or was replaced since.';
  const who = current ? ` (${current.ChangedBy})` : '';
  throw new Failure(`Somebody else${who} has changed ${name} at the same time. ${outcome} ${advice}`);
};
