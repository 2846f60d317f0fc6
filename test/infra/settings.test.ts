import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../infra/settings/settings.ts';
import { parseSettings } from '../../infra/settings/stages.ts';

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `wms-${index}`);
const certificateArn =
  'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c-aaaa-bbbb-cccc-0123456789ab';

describe('settings that are taken', () => {
  const defaults = {
    stackName: 'WarehouseControl',
    clients: [{ name: 'warehouse', username: 'warehouse', outputName: 'SecretNamewarehouse' }],
    ephemeral: false,
    credentialOverlapHours: 24,
    throttle: { ratePerSecond: 100, burst: 200 },
    allowedCidrs: [],
    logRetentionDays: 90,
    alarms: { silenceHours: 24, wrongCredentialsPerHour: 20, runbook: 'docs/runbook.md' },
  };

  it.each([
    ['absent', undefined],
    ['an empty object', {}],
    ['an empty object as JSON', '{}'],
  ])('have every default where they are %s', (_, settings) => {
    expect(parseSettings(settings)).toEqual(defaults);
  });

  it('are the same as an object of cdk.json and as JSON of the command line', () => {
    const settings = { clients: [{ name: 'wms', username: 'кладовщик' }], ephemeral: true };
    expect(parseSettings(JSON.stringify(settings))).toEqual(parseSettings(settings));
    expect(parseSettings(JSON.stringify(settings))).toMatchObject({ ephemeral: true });
  });

  it('may set everything', () => {
    const settings = {
      stackName: 'Warehouse-North',
      ephemeral: true,
      credentialOverlapHours: 0,
      throttle: { ratePerSecond: 7, burst: 9 },
      allowedCidrs: ['203.0.113.0/24'],
      logRetentionDays: 7,
      snapshotRetentionDays: 365,
      domain: { name: 'wms.example.com', certificateArn },
      alarms: {
        email: 'admins@example.com',
        silenceHours: 168,
        wrongCredentialsPerHour: 1,
        runbook: 'https://wiki.example.com/warehouse',
      },
      firewall: { requestsPerFiveMinutes: 10 },
      account: '123456789012',
      region: 'ap-southeast-2',
    };
    expect(
      parseSettings({ ...settings, clients: ['a', { name: 'b', username: 'c', silenceHours: 0 }] }),
    ).toEqual({
      ...settings,
      clients: [
        { name: 'a', username: 'a', outputName: 'SecretNamea' },
        { name: 'b', username: 'c', outputName: 'SecretNameb', silenceHours: 0 },
      ],
    });
  });

  it('may set one half of the throttle', () => {
    expect(parseSettings({ throttle: { burst: 5 } }).throttle).toEqual({ ratePerSecond: 100, burst: 5 });
  });

  it.each([1, 30])('have %i clients', (count) => {
    expect(parseSettings({ clients: namesOf(count) }).clients).toHaveLength(count);
  });

  it.each(['wms.1', 'WMS_North-2', '-', '__proto__', 'a'.repeat(64)])('have a client named %s', (name) => {
    expect(parseSettings({ clients: [name] }).clients).toMatchObject([{ name, username: name }]);
    expect(parseSettings({ clients: [{ name }] }).clients).toMatchObject([{ name, username: name }]);
  });

  it.each(['DOMAIN\\user', 'кладовщик', 'first last', '"\'{}', 'u', 'я'.repeat(128), '📦'.repeat(128)])(
    'have a client with the user name %s',
    (username) => {
      expect(parseSettings({ clients: [{ name: 'wms', username }] }).clients).toEqual([
        { name: 'wms', username, outputName: 'SecretNamewms' },
      ]);
    },
  );

  it('have clients that differ in letter case', () => {
    expect(parseSettings({ clients: ['wms', 'WMS'] }).clients.map(({ outputName }) => outputName)).toEqual([
      'SecretNamewms',
      'SecretNameWMS',
    ]);
  });

  it.each(['203.0.113.0/24', '198.51.100.7/32', '0.0.0.0/0', '2001:db8::/32', '2001:db8::1/128', '::/0'])(
    'allow the addresses %s',
    (range) => {
      expect(parseSettings({ allowedCidrs: [range] }).allowedCidrs).toEqual([range]);
    },
  );

  it.each([1, 3, 30, 365, 3653])('keep logs for %i days', (days) => {
    expect(parseSettings({ logRetentionDays: days }).logRetentionDays).toBe(days);
  });

  it.each(['wms.example.com', 'a.b.c.example.museum', '1c.example.com', 'xn--80aqmt.xn--p1ai'])(
    'have the domain %s',
    (name) => {
      expect(parseSettings({ domain: { name, certificateArn } }).domain?.name).toBe(name);
    },
  );

  it.each([
    'arn:aws-cn:acm:cn-north-1:123456789012:certificate/0f1e',
    'arn:aws-us-gov:acm:us-gov-west-1:123456789012:certificate/0f1e',
  ])('have the certificate %s', (arn) => {
    const domain = { name: 'wms.example.com', certificateArn: arn };
    expect(parseSettings({ domain }).domain).toEqual(domain);
  });
});

/** The faults that settings are refused for, by path. */
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
  throw new Error('The settings were taken.');
};
const pathsOf = (settings: unknown) => faultsOf(settings).map(({ path }) => path);

describe('settings that are refused', () => {
  it.each([
    ['a number', 5],
    ['text that is no JSON', 'warehouse'],
    ['no text', ''],
    ['the JSON null', 'null'],
  ])('are %s', (_, settings) => {
    expect(pathsOf(settings)).toEqual(['(all)']);
  });

  it.each([
    ['stackName', [5, '', '1st', 'with space', 'with_underscore', 'склад', 'a'.repeat(129), null]],
    ['clients', ['warehouse', {}, [], namesOf(31), null]],
    ['ephemeral', ['true', 1, null]],
    ['credentialOverlapHours', [-1, 0.5, 8_761, '24', null]],
    ['throttle', [100, 'fast', null]],
    ['throttle.ratePerSecond', [0, 1.5, 10_001, '100', null]],
    ['throttle.burst', [0, 1.5, 5_001, '200', null]],
    ['allowedCidrs', ['203.0.113.0/24', {}, Array(101).fill('203.0.113.0/24'), null]],
    ['logRetentionDays', [0, 2, 91, 9_999, '90', null]],
    ['snapshotRetentionDays', [0, -1, 1.5, 36_501, '30', null]],
    ['domain', ['wms.example.com', 5, null]],
    ['alarms', ['admins@example.com', 24, null]],
    ['alarms.email', ['admins', 'admins@', 'a b@example.com', '', 5, null]],
    ['alarms.silenceHours', [-1, 0.5, 169, '24', null]],
    ['alarms.wrongCredentialsPerHour', [0, 1.5, 1_000_001, '5', null]],
    ['alarms.runbook', ['', 'the wiki', 'x'.repeat(201), 5, null]],
    ['firewall', [true, 100, null]],
    ['firewall.requestsPerFiveMinutes', [9, 10.5, 2_000_000_001, '100', null]],
    ['account', [123_456_789_012, '12345678901', '1234567890123', null]],
    ['region', ['Frankfurt', 'eu-central', 'eu_central_1', 5, null]],
  ])('have a wrong %s', (path, values) => {
    const [outer = '', inner] = path.split('.');
    for (const value of values) {
      const settings = { [outer]: inner ? { [inner]: value } : value };
      expect(pathsOf(settings), JSON.stringify(settings)).toEqual([path]);
    }
  });

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(65)],
    ['with a space', 'wms 1'],
    ['with a slash', 'wms/1'],
    ['with a colon, which parts of a batch are kept by', 'wms:1'],
    ['of Cyrillic letters', 'склад'],
    ['with a newline', 'wms\n'],
    ['a number', 5],
    ['null', null],
    ['a list', ['wms']],
  ])('have a client whose name is %s', (_, name) => {
    expect(pathsOf({ clients: ['first', name] })).toEqual(['clients.1']);
    expect(pathsOf({ clients: ['first', { name }] })).toEqual(['clients.1.name']);
  });

  it('have a client without a name', () => {
    expect(faultsOf({ clients: [{ username: 'wms' }] })).toEqual([
      { path: 'clients.0.name', detail: 'The field name is missing.' },
    ]);
  });

  it.each([
    ['with a colon', 'user:name'],
    ['empty', ''],
    ['too long', 'a'.repeat(129)],
    ['with a tab', 'user\tname'],
    ['with half of a surrogate pair', 'user\ud83d'],
    ['a number', 5],
    ['null', null],
  ])('have a client whose user name is %s', (_, username) => {
    expect(pathsOf({ clients: [{ name: 'wms', username }] })).toEqual(['clients.0.username']);
  });

  it.each([-1, 0.5, 169, '24', null])('have a client with the silence %j', (silenceHours) => {
    expect(pathsOf({ clients: [{ name: 'wms', silenceHours }] })).toEqual(['clients.0.silenceHours']);
  });

  it('have a firewall without its rate', () => {
    expect(pathsOf({ firewall: {} })).toEqual(['firewall.requestsPerFiveMinutes']);
  });

  it.each([
    ['name', ['wms', 'other', { name: 'wms', username: 'own' }], 'name, or one that differs'],
    ['user name', [{ name: 'a', username: 'wms' }, 'b', { name: 'c', username: 'wms' }], 'user name'],
    ['user name, one by default', ['wms', 'b', { name: 'c', username: 'wms' }], 'user name'],
    ['name in the outputs', ['wms-1', 'b', 'wms.1'], 'name, or one that differs'],
  ])('have two clients of one %s', (_, clients, what) => {
    const [fault, ...others] = faultsOf({ clients });
    expect(fault).toMatchObject({ path: 'clients.2' });
    expect(fault?.detail).toContain(`the same ${what}`);
    expect(fault?.detail).toContain('as client 0');
    expect(others).toEqual([]);
  });

  it('have one client twice, which is told of the name and of the user name', () => {
    expect(pathsOf({ clients: ['wms', 'wms'] })).toEqual(['clients.1', 'clients.1']);
  });

  it.each([
    '203.0.113.0',
    '203.0.113.0/33',
    '203.0.113/24',
    '203.0.113.256/24',
    '2001:db8::/129',
    '2001:db8::',
    '2001:db8/32',
    '/24',
    '203.0.113.0/',
    '203.0.113.0/-1',
    '203.0.113.0/024',
    'fe80::1%eth0/64',
    '203.0.113.0/24/24',
    ' 203.0.113.0/24',
    'anywhere',
    '',
    24,
    null,
  ])('allow the addresses %j', (range) => {
    expect(pathsOf({ allowedCidrs: ['0.0.0.0/0', range] })).toEqual(['allowedCidrs.1']);
  });

  it.each([
    'WMS.example.com',
    'localhost',
    'wms.example.com.',
    'https://wms.example.com',
    'a_b.com',
    '-a.com',
    '1.2.3.4',
    '',
    5,
  ])('have the domain name %j', (name) => {
    expect(pathsOf({ domain: { name, certificateArn } })).toEqual(['domain.name']);
  });

  it.each([
    '0f1e2d3c',
    'arn:aws:iam::123456789012:server-certificate/wms',
    'arn:aws:acm:eu-central-1::certificate/0f',
    5,
  ])('have the certificate %j', (arn) => {
    expect(pathsOf({ domain: { name: 'wms.example.com', certificateArn: arn } })).toEqual([
      'domain.certificateArn',
    ]);
  });

  it('have a domain without its name and its certificate', () => {
    expect(pathsOf({ domain: {} })).toEqual(['domain.name', 'domain.certificateArn']);
  });

  it.each([
    ['client', { client: ['wms'] }],
    ['throttle.rate', { throttle: { rate: 5 } }],
    ['domain.certificate', { domain: { name: 'wms.example.com', certificateArn, certificate: 'x' } }],
    ['clients.0.user', { clients: [{ name: 'wms', user: 'x' }] }],
    ['toString', { toString: 1 }],
  ])('have the unknown key %s', (path, settings) => {
    const [fault, ...others] = faultsOf(settings);
    expect(fault).toMatchObject({ path });
    expect(fault?.detail).toContain('is not known');
    expect(others).toEqual([]);
  });

  it('are told of all of their faults at once', () => {
    expect(
      pathsOf({
        clients: ['ok', 'a b', { name: 'x', username: 'a:b' }, 'ok', { nam: 'x' }],
        ephemeral: 'no',
        throttle: { ratePerSecond: 0, burst: 'many', rate: 1 },
        allowedCidrs: ['everywhere', '10.0.0.0/8', 5],
        logRetentionDays: 91,
        domain: { name: 'localhost' },
        stage: 'live',
      }),
    ).toEqual([
      'clients.1',
      'clients.2.username',
      'clients.4.name',
      'clients.4.nam',
      'clients.3',
      'clients.3',
      'ephemeral',
      'throttle.ratePerSecond',
      'throttle.burst',
      'throttle.rate',
      'allowedCidrs.0',
      'allowedCidrs.2',
      'logRetentionDays',
      'domain.name',
      'domain.certificateArn',
      'stage',
    ]);
  });
});

describe('settings that are no object, or many faults', () => {
  it.each([[[]], ['[]'], [{ throttle: [] }], [{ domain: [] }], ['null'], ['1']])(
    'are refused: %j',
    (settings) => {
      expect(() => parseSettings(settings)).toThrow(SettingsError);
    },
  );

  it('are named to the last, however many there are', () => {
    const settings = { allowedCidrs: Array(100).fill('x'), logRetentionDays: 2 };
    expect(() => parseSettings(settings)).toThrow(/logRetentionDays/);
  });

  it('have their names as they were written', () => {
    expect(() => parseSettings({ 'a/b~c': 1 })).toThrow('  a/b~c: This field is not known');
  });
});
