import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TableName, tableNames } from '../../shared/tables.ts';

/** Leaves in a folder what the admin's commands look for of a local run; here, that is an engine with these tables. */
export const writeOutputs = (
  folder: string,
  endpoint: string,
  tables: Partial<Record<TableName, string>>,
) => {
  const Outputs = {
    ...Object.fromEntries(tableNames.map((name) => [`${name}TableName`, tables[name] ?? 'unused'])),
    SecretNamewarehouse: 'unused',
    ClientNames: 'warehouse',
    CredentialOverlapHours: '24',
  };
  const outputs = {
    DynamoDbEndpoint: endpoint,
    SecretsEndpoint: endpoint,
    Region: 'eu-central-1',
    Stack: { Outputs },
  };
  writeFileSync(join(folder, 'outputs.json'), JSON.stringify(outputs));
};
