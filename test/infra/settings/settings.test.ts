import { describe, expect, it } from 'vitest';
import { SettingsError, toSettings } from '../../../infra/settings/settings.ts';
import { parseSettings } from '../../../infra/settings/stages.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c-aaaa';
const VAULTS = 'arn:aws:backup:eu-west-1:123456789012:backup-vault:';

/** The issues of settings by path, or none for accepted settings. */
const issuesOf = (settings: unknown) => {
  try {
    parseSettings(settings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const [heading, ...lines] = error.message.split('\n');
    expect(heading).toBe('The settings under "warehouse-control" in cdk.json are wrong:');
    return lines.map((line) => {
      const [, path = '', detail = ''] = /^ {2}([^:]+): (.+)$/.exec(line) ?? [];
      return { path, detail };
    });
  }
  return [];
};
const pathsOf = (settings: unknown) => issuesOf(settings).map(({ path }) => path);

it.each([undefined, '{}', {}])('settings have the defaults of their page if they are %j', (settings) => {
  expect(parseSettings(settings)).toEqual(toSettings({}));
});

it('settings are the same as an object in cdk.json and as JSON on the command line', () => {
  const settings = { plans: { fast: { rate: 0.5 } }, ephemeral: true };
  expect(parseSettings(JSON.stringify(settings))).toEqual(parseSettings(settings));
  expect(parseSettings(JSON.stringify(settings))).toMatchObject({ ephemeral: true });
});

describe('the plans', () => {
  const standard = { name: 'standard', rate: 10, burst: 100, batches: { rate: 1, burst: 10 }, slots: 20 };
  const slow = { name: 'slow', rate: 0.1, burst: 1, batches: { rate: 0.1, burst: 1 }, slots: 2 };

  it('are standard, those of the settings with the fields of standard that they leave out, and slow', () => {
    expect(parseSettings({}).plans).toEqual([standard, slow]);
    const own = { ...standard, name: 'own', batches: { rate: 2, burst: 10 }, perDay: 5 };
    const plans = { slow: { slots: 4 }, own: { batches: { rate: 2 }, perDay: 5 } };
    expect(parseSettings({ plans }).plans).toEqual([standard, own, { ...slow, slots: 4 }]);
    // The first plan serves the clients of a plan that is gone.
    expect(parseSettings({ plans: { ...plans, standard: null } }).plans[0]).toEqual(own);
    expect(parseSettings({ plans: { standard: null } }).plans).toEqual([slow]);
  });

  const many = (count: number, slots: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { slots }]));

  it.each([
    ['none', { standard: null, slow: null }, 'at least one plan'],
    ['eleven', many(9, 1), 'at most 10 plans'],
    ['more than 170 slots', { own: { slots: 149 } }, 'at most 170 slots'],
  ])('are refused: %s', (_, plans, words) => {
    expect(issuesOf({ plans })).toEqual([{ path: 'plans', detail: expect.stringContaining(words) }]);
  });

  it('can be ten, and have 170 slots', () => {
    expect(parseSettings({ plans: many(8, 18) }).plans).toHaveLength(10);
    expect(parseSettings({ plans: { own: { slots: 148 } } }).plans).toHaveLength(3);
  });

  it.each(['', 'A', '1a', 'a-b', 'a'.repeat(21), 'план'])('cannot have the name %j', (name) => {
    expect(issuesOf({ plans: { [name]: {} } })[0]?.detail).toContain('The name of a plan must');
  });
});

it.each([
  ['clients', ['warehouse'], 'clients add NAME'],
  ['clientLimits', { rate: 5 }, 'plans.standard'],
  ['credentialOverlapHours', 24, '--overlap-hours'],
  ['alarms', { silenceHours: 24 }, '--silence-hours'],
])('the setting %s of version 0.2 gets an error that says what to do now', (name, value, words) => {
  const [issue, ...others] = issuesOf({ [name]: value });
  expect(others).toEqual([]);
  expect(issue?.path).toBe(name === 'alarms' ? 'alarms.silenceHours' : name);
  expect(issue?.detail).toMatch(/^This setting is gone\. .* See docs\/moving\.md\.$/);
  expect(issue?.detail).toContain(words);
});

/** Valid settings, except perhaps for the value at this path. */
const withValue = (path: string, value: unknown) => {
  const settings = {
    plans: { standard: null, slow: null, own: {} },
    allowedCidrs: ['0.0.0.0/0'],
    ipv6: true,
    backup: { dailyFor: 35, monthlyFor: 12 },
    domain: { name: 'wms.example.com', certificateArn },
  };
  const keys = path.split('.');
  const parent = keys.slice(0, -1).reduce<object>((found, key) => {
    if (!Reflect.has(found, key)) Reflect.set(found, key, {});
    return Reflect.get(found, key);
  }, settings);
  Reflect.set(parent, keys.at(-1) ?? '', value);
  return settings;
};

type Row = [path: string, accepted: unknown[], refused: unknown[]];

const integers: [path: string, from: number, to: number][] = [
  ['plans.own.burst', 1, 5_000],
  ['plans.own.perDay', 1, 1_000_000_000],
  ['plans.own.slots', 1, 170],
  ['plans.own.batches.burst', 1, 5_000],
  ['throttle.ratePerSecond', 1, 10_000],
  ['throttle.burst', 1, 5_000],
  ['reservedConcurrency.authorizer', 1, 10_000],
  ['reservedConcurrency.balances', 1, 10_000],
  ['warmThroughput.MaterialCodes.readUnitsPerSecond', 12_000, 40_000],
  ['warmThroughput.BalanceSnapshots.writeUnitsPerSecond', 4_000, 40_000],
  ['snapshotRetentionDays', 1, 36_500],
  ['recordRetentionDays', 35, 36_500],
  ['backup.dailyFor', 1, 36_500],
  ['backup.monthlyFor', 1, 1_200],
  ['alarms.wrongCredentialsPerHour', 1, 1_000_000],
  ['alarms.budgetPerMonth', 1, 1_000_000],
  ['alarms.hoursWithoutRequests', 1, 168],
  ['firewall.requestsPerFiveMinutes', 10, 2_000_000_000],
];

const objects = ['throttle', 'alarms', 'firewall'];
const objectsWithFields = [
  ...['reservedConcurrency', 'warmThroughput', 'warmThroughput.Clients'],
  ...['backup', 'domain'],
];
const required = ['backup.dailyFor', 'backup.monthlyFor', 'firewall.requestsPerFiveMinutes'];

it.each<Row>([
  ...integers.map(
    ([path, from, to]): Row => [path, [from, to], [from - 1, from + 0.5, to + 1, String(from), null]],
  ),
  ...[...objects, ...objectsWithFields].map((path): Row => [path, [], [5, 'few', true, [], null]]),
  ...['reservedConcurrency', 'warmThroughput', 'warmThroughput.Clients'].map((path): Row => [path, [], [{}]]),
  ...required.map((path): Row => [path, [], [undefined]]),
  ...['ephemeral', 'tracing', 'dashboard'].map((path): Row => [path, [true, false], ['true', 1, null]]),
  [
    'stackName',
    ['W', 'Warehouse-2', 'a'.repeat(60)],
    [5, '', '1st', 'with space', 'a_b', 'склад', 'a'.repeat(61), null],
  ],
  ...['plans', 'plans.own', 'plans.own.batches'].map((path): Row => [path, [], [5, 'few', true]]),
  ...['plans.own.rate', 'plans.own.batches.rate'].map(
    (path): Row => [path, [0.01, 2.5, 10_000], [0.009, -1, 10_001, '10', null]],
  ),
  ['allowedCidrs', [], ['203.0.113.0/24', {}, Array(101).fill('203.0.113.0/24'), null]],
  [
    'allowedCidrs.1',
    [
      ...['203.0.113.0/24', '198.51.100.7/32', '203.0.113.128/25', '0.0.0.0/0', '10.0.0.0/7'],
      ...['2001:db8::/32', '2001:db8::1/128', '::/0', '2001:db8:0:8000::/49', '::ffff:203.0.113.0/120'],
    ],
    [
      ...['10.0.0.1/8', '203.0.113.128/24', '198.51.100.7/31', '0.0.0.1/0', '11.0.0.0/7'],
      ...['2001:db8::1/32', '2001:db8:0:8000::/48', '::1/127', '::ffff:203.0.113.1/120'],
      ...['203.0.113.0', '203.0.113.0/33', '203.0.113/24', '203.0.113.256/24', '203.0.113.0/'],
      ...['203.0.113.0/-1', '203.0.113.0/024', '203.0.113.0/24/24', ' 203.0.113.0/24', '/24'],
      ...['2001:db8::/129', '2001:db8::', '2001:db8/32', 'fe80::1%eth0/64', 'anywhere', '', 24, null],
    ],
  ],
  ['ipv6', [true, false], ['true', 1, null]],
  ['logRetentionDays', [1, 3, 30, 365, 3_653], [0, 2, 91, 9_999, '90', null]],
  [
    'backup.vaultArn',
    [`${VAULTS}copies_of-2`, 'arn:aws-cn:backup:cn-north-1:123456789012:backup-vault:Default'],
    ['copies', `${VAULTS}c`, VAULTS.replace('backup-vault', 'recovery-point'), 'arn:aws:s3:::copies', '', 5],
  ],
  [
    'snapshotTableClass',
    ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'],
    ['STANDARD_IA', 'standard', '', 1, null],
  ],
  [
    'domain.name',
    ['wms.example.com', 'a.b.c.example.museum', '1c.example.com', 'xn--80aqmt.xn--p1ai'],
    [
      ...['WMS.example.com', 'localhost', 'wms.example.com.', 'https://wms.example.com', 'a_b.com'],
      ...['-a.com', '1.2.3.4', '', 5],
    ],
  ],
  [
    'domain.certificateArn',
    [certificateArn.replace('aws', 'aws-cn'), certificateArn.replace('aws', 'aws-us-gov')],
    ['0f1e2d3c', 'arn:aws:iam::123456789012:server-certificate/wms', certificateArn.replace(/\d{12}/, ''), 5],
  ],
  ['alarms.email', ['admins@example.com'], ['admins', 'admins@', 'a b@example.com', '', 5, null]],
  ['alarms.runbook', ['https://wiki.example.com'], ['', 'the wiki', 'x'.repeat(201), 5, null]],
  ['account', ['123456789012'], [123_456_789_012, '12345678901', '1234567890123', null]],
  [
    'region',
    ['ap-southeast-2', 'us-gov-west-1', 'eusc-de-east-1', 'cn-north-1'],
    ['eu-central-9', 'Frankfurt', 'eu-central', 'eu_central_1', '', 5, null],
  ],
])(
  'the setting %s accepts valid values and reports each wrong value at this path',
  (path, accepted, refused) => {
    for (const value of accepted) {
      const settings = parseSettings(withValue(path, value));
      const plans = Object.fromEntries(settings.plans.map((plan) => [plan.name, plan]));
      const parsed: unknown = { ...settings, plans };
      expect(path.split('.').reduce((found, key) => Object(found)[key], parsed)).toBe(value);
    }
    for (const value of refused) {
      expect(pathsOf(withValue(path, value)), JSON.stringify(value)).toEqual([path]);
    }
  },
);

describe('warmThroughput', () => {
  const warmOf = (warmThroughput: object) => parseSettings({ warmThroughput }).warmThroughput;
  const [reads, writes] = [{ readUnitsPerSecond: 24_000 }, { writeUnitsPerSecond: 8_000 }];

  it('without the name of a table is that of BalanceSnapshots, beside other tables, too', () => {
    expect(warmOf({ ...reads, ...writes })).toEqual({ BalanceSnapshots: { ...reads, ...writes } });
    expect(warmOf({ Clients: reads })).toEqual({ Clients: reads });
    expect(warmOf({ ...writes, Clients: reads })).toEqual({ BalanceSnapshots: writes, Clients: reads });
    // The common settings have the first form, and a stage has the second.
    const stages = { test: { warmThroughput: { BalanceSnapshots: reads } } };
    const { warmThroughput } = parseSettings({ warmThroughput: writes, stages }, 'test');
    expect(warmThroughput).toEqual({ BalanceSnapshots: { ...writes, ...reads } });
  });

  it.each<[string, object]>([
    ['readUnitsPerSecond', { readUnitsPerSecond: 11_999, Clients: reads }],
    ['writeUnitsPerSecond', { writeUnitsPerSecond: '8000' }],
    ['Customers', { Customers: reads }],
    ['Clients.readUnits', { Clients: { readUnits: 24_000 } }],
  ])('is refused at %s', (path, warmThroughput) => {
    expect(pathsOf({ warmThroughput })).toEqual([`warmThroughput.${path}`]);
  });
});

it('an IPv6 range is refused without the setting ipv6, because the API has IPv4 addresses alone', () => {
  const allowedCidrs = ['203.0.113.0/24', '::/0', '2001:db8::/32'];
  const detail = 'An IPv6 range needs the setting "ipv6": true.';
  const issues = [1, 2].map((index) => ({ path: `allowedCidrs.${index}`, detail }));
  expect(issuesOf({ allowedCidrs })).toEqual(issues);
  expect(issuesOf({ allowedCidrs, ipv6: false })).toEqual(issues);
  expect(issuesOf({ allowedCidrs, ipv6: true })).toEqual([]);
});

describe('wrong settings', () => {
  it.each<[unknown, string[]]>([
    ...[5, 'no JSON', '', 'null', '[]', null].map((settings): [unknown, string[]] => [settings, ['(all)']]),
    [{ toString: 1 }, ['toString']],
    // Unescaped, unlike the pointer of an issue.
    [{ 'a/b~c': 1 }, ['a/b~c']],
  ])('%j are refused with issues at %j', (settings, paths) => {
    expect(pathsOf(settings)).toEqual(paths);
  });

  it('are refused with all issues at once, however many', () => {
    const settings = {
      plans: { standard: { rate: 0, burst: 1.5, batches: 5 }, slow: { slot: 1 }, 'a b': {} },
      throttle: { ratePerSecond: 0, rate: 1 },
      domain: { name: 'localhost', certificate: 'x' },
      stage: 'live',
      allowedCidrs: Array(100).fill('x'),
    };
    const paths = pathsOf(settings);
    expect(paths.filter((path) => !path.startsWith('allowedCidrs'))).toEqual([
      ...['plans.standard.rate', 'plans.standard.burst', 'plans.standard.batches', 'plans.slow.slot'],
      'plans.a b',
      ...['throttle.ratePerSecond', 'throttle.rate'],
      ...['domain.name', 'domain.certificateArn', 'domain.certificate', 'stage'],
    ]);
    expect(paths).toHaveLength(111);
  });
});
