import { existsSync, readFileSync, rmSync } from 'node:fs';
import * as v from 'valibot';
import { CLIENT_NAME } from '../../shared/clients/client.ts';
import { readJson } from '../data-folder.ts';
import { isEmpty } from '../services/tables.ts';
import { addClients, type ClientsTable, type LocalClient } from './add-clients.ts';

/** Version 0.2 of this project kept a secret for each client. The last item of `versions` has the current password. */
const Login = v.pipe(v.string(), v.parseJson(), v.object({ username: v.string(), password: v.string() }));
const Secrets = v.array(v.object({ arn: v.string(), versions: v.array(v.object({ value: Login })) }));

/** The stack's outputs of the last run. Empty if a run with --memory has already replaced the file of version 0.2. */
const readStackOutputs = (file: string): Record<string, string> => {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))).Stack.Outputs;
  } catch {
    return {};
  }
};

/** The clients of a data folder of version 0.2. Undefined if the folder has no secrets. */
export const readClientsOfVersion02 = (
  secretsFile: string,
  outputsFile: string,
): LocalClient[] | undefined => {
  if (!existsSync(secretsFile)) return undefined;
  const outputs = readStackOutputs(outputsFile);
  const names = outputs['ClientNames']?.split(',');
  const secrets = readJson(secretsFile, Secrets).flatMap(({ arn, versions }) =>
    versions.slice(-1).map(({ value }) => ({ arn, ...value })),
  );
  return secrets.flatMap(({ arn, username: userName, password }) => {
    const isOf = (secretName = '') => secretName !== '' && arn.includes(`:${secretName}-`);
    const outputOf = (name: string) => outputs[`SecretName${name.replaceAll(/[^A-Za-z0-9]/g, '')}`];
    const name = names ? names.find((clientName) => isOf(outputOf(clientName))) : userName;
    return name !== undefined && CLIENT_NAME.test(name) ? [{ name, userName, password }] : [];
  });
};

/** Adds the earlier clients and removes their secrets. Without earlier clients, adds one client to an empty table. */
export const addFirstClients = async (
  table: ClientsTable,
  earlier: readonly LocalClient[] | undefined,
  secretsFile: string,
  onNotice: (message: string) => void,
) => {
  if (earlier) {
    await addClients(table, earlier, new Date());
    rmSync(secretsFile);
    const names = earlier.map(({ name }) => name).join(', ');
    onNotice(`The clients of the earlier version keep their user names and passwords: ${names}.`);
  } else if (await isEmpty(table.dynamodb, table.outputs['ClientsTableName'] ?? '')) {
    await addClients(table, [{ name: 'warehouse' }], new Date());
  }
};
