import { type ServiceTable, serviceTables } from './tables.ts';

export const variables = {
  plans: 'PLANS',
  stackUuid: 'STACK_UUID',
  alarmTopic: 'ALARM_TOPIC_ARN',
  stackName: 'STACK_NAME',
  runbook: 'RUNBOOK',
  metricsNamespace: 'METRICS_NAMESPACE',
} as const;

/** Call this while a module loads, so that a function without the variable fails at its start. */
export const requiredVariable = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
};

export const optionalNumberVariable = (name: string): number | undefined => {
  const value = process.env[name];
  return value ? Number(value) : undefined;
};

export const tableName = (table: ServiceTable) => requiredVariable(serviceTables[table].variable);
