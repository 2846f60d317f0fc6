import { type TableName, tables } from './tables.ts';

/** The environment variables of the functions, beside those of the tables. infra/ sets each where it grants the access. */
export const variables = {
  clients: 'CLIENTS',
  secretPrefix: 'SECRET_PREFIX',
  credentialOverlapHours: 'CREDENTIAL_OVERLAP_HOURS',
  metricsNamespace: 'METRICS_NAMESPACE',
} as const;

/** Called at load time, so that a function without its variable fails at its start. */
export const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
};

export const optionalNumber = (name: string): number | undefined => {
  const value = process.env[name];
  return value ? Number(value) : undefined;
};

/** The name that the deployment gave to a table. */
export const tableName = (table: TableName) => required(tables[table].variable);
