import { tableNames } from '../../shared/tables.ts';

const domain = {
  name: 'wms.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
};

/** Together they make every resource, with and without its optional properties. */
export const sampleSettings = {
  default: {},
  ephemeral: { stackName: 'WarehouseControl-test', ephemeral: true },
  /** Sets everything, and each field of a plan at least once. */
  everything: {
    stackName: 'Warehouse',
    plans: {
      standard: { rate: 20, burst: 40, perDay: 100_000, batches: { rate: 2 }, slots: 3 },
      slow: null,
      capped: { rate: 0.5, burst: 3, batches: { burst: 4 }, slots: 1 },
      usual: {},
    },
    ephemeral: true,
    throttle: { ratePerSecond: 7, burst: 9 },
    reservedConcurrency: { authorizer: 60, balances: 15 },
    allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
    ipv6: true,
    logRetentionDays: 7,
    snapshotRetentionDays: 365,
    recordRetentionDays: 90,
    snapshotTableClass: 'STANDARD',
    warmThroughput: {
      BalanceSnapshots: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 8_000 },
      Clients: { readUnitsPerSecond: 24_000 },
    },
    domain,
    alarms: {
      email: 'admins@example.com',
      wrongCredentialsPerHour: 7,
      hoursWithoutRequests: 5,
      budgetPerMonth: 50,
      runbook: 'https://wiki.example.com/warehouse',
    },
    tracing: true,
    dashboard: true,
    firewall: { requestsPerFiveMinutes: 3_000 },
    backup: {
      vaultArn: 'arn:aws:backup:eu-west-1:210987654321:backup-vault:copies',
      dailyFor: 35,
      monthlyFor: 12,
    },
    account: '123456789012',
    region: 'eu-central-1',
  },
  /** As many and as long values as the settings allow, in a stack that is kept. */
  largest: {
    stackName: 'W'.repeat(60),
    plans: {
      slow: null,
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`${index}`.padStart(20, 'p'), { perDay: 1, slots: 16 }]),
      ),
      standard: { rate: 0.4, slots: 26 },
    },
    domain,
    dashboard: true,
    warmThroughput: Object.fromEntries(
      tableNames.map((name) => [name, { readUnitsPerSecond: 40_000, writeUnitsPerSecond: 40_000 }]),
    ),
    snapshotRetentionDays: 36_500,
    recordRetentionDays: 36_500,
    ipv6: true,
    allowedCidrs: Array.from(
      { length: 100 },
      (_, index) => `2001:0db8:1111:2222:3333:4444:5555:${1_000 + index}/128`,
    ),
    alarms: { email: 'admins@example.com', budgetPerMonth: 50, hoursWithoutRequests: 168 },
    firewall: { requestsPerFiveMinutes: 10 },
    // Copies need no resource.
    backup: { dailyFor: 1, monthlyFor: 1_200 },
  },
};
