/** infra/ sets each variable where it grants the access that goes with it. */
export const variables = {
  materialCodesTable: 'MATERIAL_CODES_TABLE',
  purchaseOrdersTable: 'PURCHASE_ORDERS_TABLE',
  changeTimestampsTable: 'CHANGE_TIMESTAMPS_TABLE',
  balanceSnapshotsTable: 'BALANCE_SNAPSHOTS_TABLE',
  snapshotRetentionDays: 'SNAPSHOT_RETENTION_DAYS',
  clients: 'CLIENTS',
  secretPrefix: 'SECRET_PREFIX',
  credentialOverlapHours: 'CREDENTIAL_OVERLAP_HOURS',
  metricsNamespace: 'METRICS_NAMESPACE',
} as const;

type Variable = (typeof variables)[keyof typeof variables];

/** Called at load time, so that a function without its variable fails at its start. */
export const required = (name: Variable): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
};

export const optionalNumber = (name: Variable): number | undefined => {
  const value = process.env[name];
  return value ? Number(value) : undefined;
};
