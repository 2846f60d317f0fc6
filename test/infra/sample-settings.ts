/** Together they make every resource, with and without its optional properties. */
export const sampleSettings = {
  default: {},
  ephemeral: { stackName: 'WarehouseControl-test', ephemeral: true },
  'own domain': {
    domain: {
      name: 'wms.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
    },
    allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
  },
  'firewall and 30 clients': {
    clients: Array.from({ length: 30 }, (_, index) => `wms-${index}`),
    firewall: { requestsPerFiveMinutes: 10 },
    backup: { dailyFor: 1, monthlyFor: 1 },
    logRetentionDays: 1,
    snapshotRetentionDays: 1,
  },
  everything: {
    stackName: 'Warehouse',
    clients: [
      'warehouse',
      {
        name: 'wms.1',
        username: 'DOMAIN\\кладовщик',
        limits: { rate: 0.5, burst: 5, perDay: 500, batches: { rate: 0.1, burst: 2 } },
      },
    ],
    clientLimits: { rate: 20, burst: 40, perDay: 100_000, batches: { rate: 2, burst: 4 } },
    ephemeral: true,
    credentialOverlapHours: 0,
    throttle: { ratePerSecond: 7, burst: 9 },
    reservedConcurrency: { authorizer: 60, balances: 15 },
    allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
    logRetentionDays: 7,
    snapshotRetentionDays: 365,
    snapshotTableClass: 'STANDARD',
    warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 8_000 },
    domain: {
      name: 'wms.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
    },
    alarms: {
      email: 'admins@example.com',
      silenceHours: 168,
      wrongCredentialsPerHour: 20,
      budgetPerMonth: 50,
      runbook: 'https://wiki.example.com/warehouse',
    },
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
};
