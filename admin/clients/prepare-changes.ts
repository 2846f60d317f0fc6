import {
  CLIENT_NAME,
  CLIENT_NAME_RULE,
  type ClientAttributes,
  USER_NAME,
  USER_NAME_RULE,
} from '../../shared/clients/client.ts';
import type { SlotHolder } from '../../shared/clients/new-client.ts';
import { generatePassword } from '../../shared/clients/password.ts';
import { readClient, type StoredClient } from '../../shared/clients/write-client.ts';
import type { Session } from '../deployment/session.ts';
import { Failure, WrongUsage } from '../text/failure.ts';
import { countOf } from '../text/words.ts';
import { add, type ClientChange, type ClientValues, NOTHING, set } from './client-changes.ts';
import { readClientTable } from './client-table.ts';
import { takeSlot } from './slots.ts';

/** The service was tried with this many clients. */
const MAX_CLIENTS = 2_000;

/** The user name is that of the client by default. An admin may have chosen the password. */
type NewClients = ClientValues & { names: readonly string[]; password?: string | undefined };

type Addition = ClientChange & {
  /** The item of a removed client with this name. */
  before: StoredClient | undefined;
};

/** Checks all new clients before the first is written. Throws a Failure if a client cannot be added. */
export const prepareAdditions = async (
  session: Session,
  { names, userName, plan, share, password, silenceHours, ...details }: NewClients,
): Promise<Addition[]> => {
  if (!names.every((name) => CLIENT_NAME.test(name))) throw new Failure(`${CLIENT_NAME_RULE} ${NOTHING}`);
  const { dynamodb, tables, plans } = session.deployment;
  const { clients, active, damagedNames } = await readClientTable(session);
  if (active.length + names.length > MAX_CLIENTS) {
    throw new Failure(`A deployment serves up to ${countOf(MAX_CLIENTS, 'client')}. ${NOTHING}`);
  }
  const known = new Set([...clients.map(({ Client }) => Client), ...damagedNames]);
  const holders: (SlotHolder & NameHolder)[] = [...active];
  const additions: Addition[] = [];
  for (const name of names) {
    const before = known.has(name) ? await readClient(dynamodb, tables.Clients, name) : undefined;
    if (before && !before.client.RemovedAt) {
      throw new Failure(`There is a client ${name} already. ${NOTHING}`);
    }
    checkUserName(holders, name, userName ?? name);
    const { Plan, Slot } = takeSlot(plans, holders, { name, plan, share });
    holders.push({ Client: name, UserName: userName ?? name, Plan, Slot });
    const login = { name, userName, password: password ?? generatePassword() };
    const added = { ...login, plan: Plan, slot: Slot, silenceHours, now: session.now, ...details };
    additions.push({ ...add(added, before?.client), before });
  }
  return additions;
};

export const prepareNewValues = async (
  session: Session,
  client: ClientAttributes,
  { userName, plan, silenceHours, share, contact, displayName, language }: ClientValues,
): Promise<ClientChange> => {
  const values = { userName, silenceHours, contact, displayName, language };
  if (plan === undefined && Object.values(values).every((value) => value === undefined)) {
    throw new WrongUsage(
      `Nothing is different. Give ${client.Client} another plan, user name, contact, display name or language, or other hours of silence.`,
    );
  }
  const { active } = await readClientTable(session);
  if (userName !== undefined) checkUserName(active, client.Client, userName);
  const wish = { name: client.Client, plan, share };
  const slot = plan === undefined ? undefined : takeSlot(session.deployment.plans, active, wish);
  return set(client, { ...values, slot }, session.now);
};

type NameHolder = { Client: string; UserName: string };

const checkUserName = (holders: readonly NameHolder[], name: string, userName: string) => {
  if (!USER_NAME.test(userName)) throw new Failure(`${USER_NAME_RULE} ${NOTHING}`);
  const other = holders.find(({ Client, UserName }) => Client !== name && UserName === userName);
  if (other) throw new Failure(`${other.Client} has the user name ${userName}. ${NOTHING}`);
};
