const domain = {
  name: 'wms.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
};

/** Names that are properties of objects in JavaScript. */
const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'Default', 'Resource', '.'];

/** Together they make every resource, with and without its optional properties. */
export const sampleSettings = {
  default: {},
  ephemeral: { stackName: 'WarehouseControl-test', ephemeral: true },
  /** Sets everything, and each field of a client at least once. */
  everything: {
    stackName: 'Warehouse',
    clients: [
      'warehouse',
      {
        name: 'wms.1',
        username: 'DOMAIN\\кладовщик',
        silenceHours: 6,
        limits: { burst: 5, perDay: 500, batches: { rate: 0.1 } },
      },
      { name: 'doctor', silenceHours: 0, limits: { rate: 0.5, burst: 3 } },
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
    domain,
    alarms: {
      email: 'admins@example.com',
      silenceHours: 48,
      wrongCredentialsPerHour: 7,
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
  /** As many and as long values as the settings allow, in a stack that is kept. */
  largest: {
    stackName: 'W'.repeat(60),
    clients: [
      ...ODD_NAMES,
      ...Array.from({ length: 30 - ODD_NAMES.length }, (_, index) => ({
        name: `${index}`.padStart(64, 'n'),
        username: `${index}`.padStart(128, 'я'),
      })),
    ],
    credentialOverlapHours: 8_760,
    allowedCidrs: Array.from(
      { length: 100 },
      (_, index) => `2001:0db8:1111:2222:3333:4444:5555:${1_000 + index}/128`,
    ),
    alarms: { email: 'admins@example.com', silenceHours: 0 },
    firewall: { requestsPerFiveMinutes: 10 },
    backup: { dailyFor: 1, monthlyFor: 1_200 },
  },
};
