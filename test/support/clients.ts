import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { Client, toPlain } from '../../shared/clients/client.ts';
import { newClient } from '../../shared/clients/new-client.ts';
import { generatePassword } from '../../shared/clients/password.ts';
import { readClient, writeClient } from '../../shared/clients/write-client.ts';

/** Adds a client to a table, as an admin does, and returns its password. */
export const addClient = async (
  dynamodb: DynamoDBClient,
  table: string,
  name: string,
  attributes: Partial<Client> = {},
) => {
  const password = generatePassword();
  const client = newClient({ name, password, plan: 'standard', slot: 1, now: new Date() });
  await writeClient(dynamodb, table, { ...client, ChangedBy: 'test', ...attributes });
  return password;
};

export const storedClient = async (dynamodb: DynamoDBClient, table: string, name: string) => {
  const stored = await readClient(dynamodb, table, name);
  if (!stored) throw new Error(`There is no client ${name}.`);
  return { ...stored, client: v.parse(Client, toPlain(stored.item)) };
};
