import { describe, expect, it } from 'vitest';
import { SettingsError, toSettings } from '../../../infra/settings/settings.ts';
import { parseSettings } from '../../../infra/settings/stages.ts';

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `wms-${index}`);
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c-aaaa';
const VAULTS = 'arn:aws:backup:eu-west-1:123456789012:backup-vault:';

/** The faults of settings by path, or none for accepted settings. */
const faultsOf = (settings: unknown) => {
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
const pathsOf = (settings: unknown) => faultsOf(settings).map(({ path }) => path);

it.each([undefined, '{}', {}])('settings have the defaults of their page if they are %j', (settings) => {
  expect(parseSettings(settings)).toEqual(toSettings({}));
});

it('settings are the same as an object in cdk.json and as JSON on the command line', () => {
  const settings = { clients: [{ name: 'wms', username: 'кладовщик' }], ephemeral: true };
  expect(parseSettings(JSON.stringify(settings))).toEqual(parseSettings(settings));
  expect(parseSettings(JSON.stringify(settings))).toMatchObject({ ephemeral: true });
});

it.each(['wms.1', 'WMS_North-2', '--', '__proto__', 'a'.repeat(64)])(
  'a client can have the name %s, which is also its user name by default',
  (name) => {
    for (const client of [name, { name }]) {
      expect(parseSettings({ clients: [client] }).clients).toMatchObject([{ name, username: name }]);
    }
  },
);

it('names of clients can differ only in letter case', () => {
  const { clients } = parseSettings({ clients: ['wms', 'WMS'] });
  expect(clients.map(({ outputName }) => outputName)).toEqual(['SecretNamewms', 'SecretNameWMS']);
});

/** Valid settings, except perhaps for the value at this path. */
const withValue = (path: string, value: unknown) => {
  const settings = {
    clients: ['first', { name: 'wms' }],
    allowedCidrs: ['0.0.0.0/0'],
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

const wrongNames = ['', '-', 'a'.repeat(65), 'wms 1', 'wms/1', 'wms:1', 'склад', 'wms\n', 5, null, ['wms']];

type Row = [path: string, accepted: unknown[], refused: unknown[]];

const integers: [path: string, from: number, to: number][] = [
  ['clients.1.silenceHours', 0, 168],
  ['clientLimits.burst', 1, 5_000],
  ['clientLimits.perDay', 1, 1_000_000_000],
  ['clientLimits.batches.burst', 1, 5_000],
  ['credentialOverlapHours', 0, 8_760],
  ['throttle.ratePerSecond', 1, 10_000],
  ['throttle.burst', 1, 5_000],
  ['reservedConcurrency.authorizer', 1, 10_000],
  ['reservedConcurrency.balances', 1, 10_000],
  ['warmThroughput.readUnitsPerSecond', 12_000, 40_000],
  ['warmThroughput.writeUnitsPerSecond', 4_000, 40_000],
  ['snapshotRetentionDays', 1, 36_500],
  ['backup.dailyFor', 1, 36_500],
  ['backup.monthlyFor', 1, 1_200],
  ['alarms.silenceHours', 0, 168],
  ['alarms.wrongCredentialsPerHour', 1, 1_000_000],
  ['alarms.budgetPerMonth', 1, 1_000_000],
  ['firewall.requestsPerFiveMinutes', 10, 2_000_000_000],
];

const objects = [
  'clients.1.limits',
  'clientLimits',
  'clientLimits.batches',
  'throttle',
  'alarms',
  'firewall',
];
const objectsWithFields = ['reservedConcurrency', 'warmThroughput', 'backup', 'domain'];
const required = ['backup.dailyFor', 'backup.monthlyFor', 'firewall.requestsPerFiveMinutes'];

it.each<Row>([
  ...integers.map(
    ([path, from, to]): Row => [path, [from, to], [from - 1, from + 0.5, to + 1, String(from), null]],
  ),
  ...[...objects, ...objectsWithFields].map((path): Row => [path, [], [5, 'few', true, [], null]]),
  ...['reservedConcurrency', 'warmThroughput'].map((path): Row => [path, [], [{}]]),
  ...required.map((path): Row => [path, [], [undefined]]),
  ...['ephemeral', 'dashboard'].map((path): Row => [path, [true, false], ['true', 1, null]]),
  [
    'stackName',
    ['W', 'Warehouse-2', 'a'.repeat(60)],
    [5, '', '1st', 'with space', 'a_b', 'склад', 'a'.repeat(61), null],
  ],
  ['clients', [], ['warehouse', {}, [], namesOf(31), null]],
  ['clients.1', [], wrongNames],
  ['clients.1.name', [], wrongNames],
  [
    'clients.1.username',
    ['DOMAIN\\user', 'кладовщик', 'a b', '"\'{}', 'u', 'я'.repeat(128), '📦'.repeat(128)],
    ['user:name', '', 'a'.repeat(129), 'user\tname', 'half of a pair \ud83d', 5, null],
  ],
  ['clients.1.limits.rate', [0.5, 5], [0, 10_001, '5', null]],
  ['clientLimits.rate', [0.01, 2.5, 10_000], [0, -1, 10_001, '10', null]],
  ['allowedCidrs', [], ['203.0.113.0/24', {}, Array(101).fill('203.0.113.0/24'), null]],
  [
    'allowedCidrs.1',
    ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32', '2001:db8::1/128', '::/0'],
    [
      ...['203.0.113.0', '203.0.113.0/33', '203.0.113/24', '203.0.113.256/24', '203.0.113.0/'],
      ...['203.0.113.0/-1', '203.0.113.0/024', '203.0.113.0/24/24', ' 203.0.113.0/24', '/24'],
      ...['2001:db8::/129', '2001:db8::', '2001:db8/32', 'fe80::1%eth0/64', 'anywhere', '', 24, null],
    ],
  ],
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
  ['region', ['ap-southeast-2'], ['Frankfurt', 'eu-central', 'eu_central_1', 5, null]],
])(
  'the setting %s accepts valid values and reports each wrong value at this path',
  (path, accepted, refused) => {
    for (const value of accepted) {
      const parsed: unknown = parseSettings(withValue(path, value));
      expect(path.split('.').reduce((found, key) => Object(found)[key], parsed)).toBe(value);
    }
    for (const value of refused) {
      expect(pathsOf(withValue(path, value)), JSON.stringify(value)).toEqual([path]);
    }
  },
);

describe('wrong settings', () => {
  it.each<[unknown, string[]]>([
    ...[5, 'no JSON', '', 'null', '[]'].map((settings): [unknown, string[]] => [settings, ['(all)']]),
    [{ clients: ['wms', 'wms'] }, ['clients.1', 'clients.1']],
    [{ toString: 1 }, ['toString']],
    // Unescaped, unlike the pointer of a fault.
    [{ 'a/b~c': 1 }, ['a/b~c']],
  ])('%j are refused with faults at %j', (settings, paths) => {
    expect(pathsOf(settings)).toEqual(paths);
  });

  it.each([
    ['name', ['wms', 'other', { name: 'wms', username: 'own' }], 'name'],
    ['user name', [{ name: 'a', username: 'wms' }, 'b', { name: 'c', username: 'wms' }], 'user name'],
    ['user name, one of them the default', ['wms', 'b', { name: 'c', username: 'wms' }], 'user name'],
    ['name in the outputs', ['wms-1', 'b', 'wms.1'], 'name'],
  ])(
    'with two clients of the same %s are refused, and the fault names the first client',
    (_, clients, what) => {
      const [fault, ...others] = faultsOf({ clients });
      expect(others).toEqual([]);
      expect(fault?.path).toBe('clients.2');
      expect(fault?.detail).toContain(`the same ${what}`);
      expect(fault?.detail).toContain('as client 0');
    },
  );

  it('are refused with all faults at once, however many', () => {
    const settings = {
      clients: ['ok', 'a b', { name: 'x', username: 'a:b' }, { nam: 'x' }],
      throttle: { ratePerSecond: 0, rate: 1 },
      domain: { name: 'localhost', certificate: 'x' },
      stage: 'live',
      allowedCidrs: Array(100).fill('x'),
    };
    const paths = pathsOf(settings);
    expect(paths.filter((path) => !path.startsWith('allowedCidrs'))).toEqual([
      ...['clients.1', 'clients.2.username', 'clients.3.name', 'clients.3.nam'],
      ...['throttle.ratePerSecond', 'throttle.rate'],
      ...['domain.name', 'domain.certificateArn', 'domain.certificate', 'stage'],
    ]);
    expect(paths).toHaveLength(110);
  });
});
