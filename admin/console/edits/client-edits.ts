import { generatePassword } from '../../../shared/clients/password.ts';
import type { StoredClient } from '../../../shared/clients/write-client.ts';
import { type ClientChange, lock, remove, rotate, unlock } from '../../clients/client-changes.ts';
import { readClientTable } from '../../clients/client-table.ts';
import { prepareAdditions, prepareNewValues } from '../../clients/prepare-changes.ts';
import { noticesOf } from '../../clients/slots.ts';
import { describeWritten, findClient, writeChange } from '../../clients/write-change.ts';
import type { Session } from '../../deployment/session.ts';
import { formatTime } from '../../text/time.ts';
import type { ClientNotices, ClientResponse } from '../api.ts';
import { inWordsOfPage } from '../error-response.ts';
import type { Action, Addition } from './client-requests.ts';

export const readNotices = async (session: Session): Promise<ClientNotices> => {
  const { plans } = session.deployment;
  const { active, damagedNames: damaged } = await readClientTable(session);
  const notices = noticesOf(active, damaged, plans).map(inWordsOfPage);
  return { notices, plans: plans.map(({ name }) => name), damaged };
};

export const addClient = async (session: Session, { name, ...values }: Addition) => {
  const [addition] = await prepareAdditions(session, { names: [name], ...values });
  if (!addition) throw new Error('There is nothing to add.');
  return write(session, addition, addition.before);
};

/** Asks first where a command asks, and before each new password. */
export const changeClient = async (
  session: Session,
  name: string,
  action: Action,
): Promise<ClientResponse> => {
  const before = await findClient(session, name);
  const change = await prepare(session, before, action);
  const isConfirmed = 'confirmed' in action && action.confirmed;
  const question =
    change.question ?? (action.action === 'rotate' ? askToRotate(change, action.isAgain) : undefined);
  if (question && !isConfirmed) return { question: inWordsOfPage(question) };
  return write(session, change, before);
};

/** A command names what it does, but on the page, Enter in a field may have been meant for another one. */
const askToRotate = ({ attributes: { Client, PreviousUntil } }: ClientChange, isAgain: boolean) => {
  const stays = PreviousUntil && `stays valid until ${formatTime(new Date(PreviousUntil))}`;
  const ends = `ends at once${stays ? `, and the previous password ${stays}` : ''}`;
  const current = isAgain ? ends : (stays ?? ends);
  return `${Client} gets a new password. The current password ${current}. Set the new password?`;
};

const prepare = (
  session: Session,
  { client }: StoredClient,
  action: Action,
): ClientChange | Promise<ClientChange> => {
  const { now } = session;
  switch (action.action) {
    case 'rotate':
      return rotate(client, { ...action, password: generatePassword() }, now);
    case 'lock':
      return lock(client, now);
    case 'unlock':
      return unlock(client, now);
    case 'set':
      return prepareNewValues(session, client, action);
    case 'remove':
      return remove(client, now);
  }
};

const write = async (
  session: Session,
  change: ClientChange,
  before: StoredClient | undefined,
): Promise<ClientResponse> => {
  const written = await writeChange(session, change, before);
  const message = await describeWritten(session, written);
  const { password } = change;
  const { UserName: userName = '' } = written.written.client;
  const { baseUrl } = session.deployment;
  return {
    message: inWordsOfPage(message),
    ...(password ? { login: { userName, password, baseUrl } } : {}),
  };
};
