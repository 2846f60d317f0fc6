import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { chooseSlot, newClient, type SlotHolder } from '../../shared/clients/new-client.ts';
import { generatePassword } from '../../shared/clients/password.ts';
import { decodePlans } from '../../shared/clients/plans.ts';
import { readClients } from '../../shared/clients/read-clients.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import { isEmpty } from '../services/tables.ts';
import type { Passwords } from './passwords.ts';

export type ClientsTable = {
  dynamodb: DynamoDBClient;
  outputs: Record<string, string>;
  passwords: Passwords;
};

/** Adds one client to an empty table. */
export const addFirstClient = async (table: ClientsTable, now: Date) => {
  if (await isEmpty(table.dynamodb, table.outputs['ClientsTableName'] ?? ''))
    await addClients(table, ['warehouse'], now);
};

/** Adds the clients that the table does not have. A client without a password in the data folder gets a new one. */
export const addClients = async (
  { dynamodb, outputs, passwords }: ClientsTable,
  names: readonly string[],
  now: Date,
) => {
  const { ClientsTableName: table = '', Plans = '' } = outputs;
  const { signal } = new AbortController();
  const { clients } = await readClients(ClientWithoutHashes, { dynamodb, table, signal });
  const knownNames = clients.map(({ Client }) => Client);
  const logins = names
    .filter((name) => !knownNames.includes(name))
    .map((name) => ({ name, userName: name, password: passwords.passwordOf(name) ?? generatePassword() }));
  // The passwords are saved first, because a killed run must not leave clients whose passwords nobody knows.
  passwords.keep(logins);
  const [plan] = decodePlans(Plans);
  const holders: SlotHolder[] = [...clients];
  for (const login of logins) {
    const { slot } = chooseSlot(plan, holders);
    const client = newClient({ ...login, plan: plan.name, slot, now });
    await writeClient(dynamodb, table, { ...client, ChangedBy: 'local run' });
    holders.push(client);
  }
};
