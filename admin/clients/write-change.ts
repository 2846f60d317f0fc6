import { isDeepStrictEqual } from 'node:util';
import { type ClientAttributes, SignInClient } from '../../shared/clients/client.ts';
import {
  damageOf,
  nextItem,
  readClient,
  type StoredClient,
  toStoredClient,
  writeClient,
} from '../../shared/clients/write-client.ts';
import type { Session } from '../deployment/session.ts';
import { explain, Failure } from '../text/failure.ts';
import { joinMessages, message, step } from '../text/message.ts';
import { formatTime } from '../text/time.ts';
import { joinNames } from '../text/words.ts';
import type { ClientChange } from './client-changes.ts';
import { noClient, readClientTable } from './client-table.ts';
import { sharingNotices } from './slots.ts';

export const findClient = async ({ deployment }: Session, name: string): Promise<StoredClient> => {
  const found = await readClient(deployment.dynamodb, deployment.tables.Clients, name);
  if (!found) throw noClient(name, deployment.name);
  const { RemovedAt } = found.client;
  if (!RemovedAt) return found;
  throw new Failure(
    message`${name} was removed at ${formatTime(new Date(RemovedAt))}. ${step('addClient', name)} adds a new client.`,
  );
};

type WrittenChange = {
  change: ClientChange;
  before: StoredClient | undefined;
  written: StoredClient;
  notices: readonly string[];
};

/** Throws a Failure that says whether anything was changed. */
export const writeChange = async (
  { deployment }: Session,
  change: ClientChange,
  before?: StoredClient,
): Promise<WrittenChange> => {
  const attributes = { ...change.attributes, ChangedBy: await deployment.caller() };
  const written = toStoredClient(attributes.Client, nextItem(attributes, before));
  await writeOrExplain(deployment, attributes, written, before);
  const { client } = written;
  const notices: string[] = [];
  const { password } = change;
  if (password !== undefined || client.RemovedAt || client.UserName !== before?.client.UserName) {
    await deployment.keepPassword?.({ client: client.Client, password }).catch((error: unknown) => {
      notices.push(`outputs.json was not updated: ${explain(error)}`);
    });
  }
  return { change, before, written, notices };
};

/** What an admin should know of a written change. Reads all clients, so a new password is shown first. */
export const describeWritten = async (
  session: Session,
  { change, before, written, notices }: WrittenChange,
) => {
  const { client, item } = written;
  const damage = damageOf(client.Client, item);
  const stillDamaged =
    damage &&
    `Its item is still damaged (${joinNames(damage.attributes)}). To repair it, remove the client and add it again.`;
  // The message of the change would promise access.
  const cannotSignIn =
    !client.LockedAt && damage?.attributes.some((attribute) => attribute in SignInClient.entries);
  const message = cannotSignIn ? `${client.Client} is changed, but it cannot sign in.` : change.message;
  const sharing = await describeSharing(session, client, before?.client);
  return joinMessages([message, ...notices, ...(stillDamaged ? [stillDamaged] : []), ...sharing], ' ');
};

/** Another admin may have given the same slot or user name at the same time. */
const describeSharing = async (
  session: Session,
  client: ClientAttributes,
  before: ClientAttributes | undefined,
) => {
  const holds = ({ RemovedAt, UserName, Plan, Slot }: ClientAttributes) => [RemovedAt, UserName, Plan, Slot];
  if (client.RemovedAt || (before && isDeepStrictEqual(holds(client), holds(before)))) return [];
  try {
    return sharingNotices((await readClientTable(session)).active, new Set([client.Client]));
  } catch (error) {
    return [
      message`The other clients cannot be read: ${explain(error)} ${step('seeClients')} names shared slots.`,
    ];
  }
};

const writeOrExplain = async (
  { dynamodb, tables }: Session['deployment'],
  attributes: ClientAttributes,
  written: StoredClient,
  before: StoredClient | undefined,
) => {
  const { Client: name, Hash } = attributes;
  let failure: string | undefined;
  try {
    if (await writeClient(dynamodb, tables.Clients, attributes, before)) return;
  } catch (error) {
    failure = explain(error);
  }
  const advice = message`${step('seeClient', name)} shows the client.`;
  const stored = await readClient(dynamodb, tables.Clients, name).catch(() => {
    if (failure === undefined) return undefined;
    throw new Failure(
      message`${failure} It is not known whether ${name} was changed. ${advice} If ${name} has a new password that nobody has seen, ${step('replacePassword', name)} replaces it.`,
    );
  });
  // After a lost response, the write may have succeeded, and somebody else may have changed the client since.
  const hasNewPassword = Hash !== undefined && Hash !== before?.client.Hash;
  if (isDeepStrictEqual(stored?.item, written.item) || (hasNewPassword && stored?.client.Hash === Hash))
    return;
  const isVersionOf = (other: StoredClient | undefined) =>
    isDeepStrictEqual(stored?.item['Version'], other?.item['Version']);
  if (failure && isVersionOf(before)) throw new Failure(`${failure} Nothing was changed.`);
  const outcome = isVersionOf(written)
    ? 'Nothing was changed by this command.'
    : 'The change of this command was not made, or was replaced since.';
  const who = stored ? ` (${stored.client.ChangedBy})` : '';
  throw new Failure(message`Somebody else${who} has changed ${name} at the same time. ${outcome} ${advice}`);
};
