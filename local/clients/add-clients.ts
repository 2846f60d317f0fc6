import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { chooseSlot, newClient, type SlotHolder } from '../../shared/clients/new-client.ts';
import { generatePassword } from '../../shared/clients/password.ts';
import { decodePlans } from '../../shared/clients/plans.ts';
import { readClients } from '../../shared/clients/read-clients.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import type { Passwords } from './passwords.ts';

/** Without a password here and in the data folder, the client gets a new password. */
export type LocalClient = { name: string; userName?: string; password?: string };

export type ClientsTable = {
  dynamodb: DynamoDBClient;
  outputs: Record<string, string>;
  passwords: Passwords;
};

/** Adds the clients that the table does not have. */
export const addClients = async (
  { dynamodb, outputs, passwords }: ClientsTable,
  wanted: readonly LocalClient[],
  now: Date,
) => {
  const { ClientsTableName: table = '', Plans = '' } = outputs;
  const { signal } = new AbortController();
  const { clients } = await readClients(ClientWithoutHashes, { dynamodb, table, signal });
  const knownNames = clients.map(({ Client }) => Client);
  const logins = wanted
    .filter(({ name }) => !knownNames.includes(name))
    .map(({ name, userName = name, password = passwords.passwordOf(userName) ?? generatePassword() }) => {
      return { name, userName, password };
    });
  // The passwords are saved first, because a killed run must not leave clients whose passwords nobody knows.
  passwords.change(logins.map(({ userName, password }) => ({ userName, password })));
  const [plan] = decodePlans(Plans);
  const holders: SlotHolder[] = [...clients];
  for (const login of logins) {
    const { slot } = chooseSlot(plan, holders);
    const client = newClient({ ...login, plan: plan.name, slot, now });
    await writeClient(dynamodb, table, { ...client, ChangedBy: 'local run' });
    holders.push(client);
  }
};
