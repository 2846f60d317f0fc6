/** The names under which a deployment tells its functions what to use; infra/ sets them where it grants the access. */
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

/** A function that lacks a variable fails at its start, not at its first request. */
export const required = (name: Variable): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
};

export const optionalNumber = (name: Variable): number | undefined => {
  const value = process.env[name];
  return value ? Number(value) : undefined;
};
