import { describe, expect, it } from 'vitest';
import { checkAccountAndRegion } from '../../../infra/settings/check-account-and-region.ts';
import { SettingsError } from '../../../infra/settings/settings.ts';
import { parseSettings } from '../../../infra/settings/stages.ts';

const settings = {
  plans: { slow: { slots: 3 } },
  logRetentionDays: 30,
  throttle: { burst: 5 },
  stages: {
    test: { plans: { slow: null, fast: {} }, ephemeral: true },
    north: { stackName: 'Warehouse-North', throttle: { ratePerSecond: 7 }, account: '123456789012' },
  },
};

const refusalOf = (context: unknown, stage?: unknown) => {
  try {
    parseSettings(context, stage);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
};

describe('a stage', () => {
  it('has the common settings, overridden by its own', () => {
    expect(parseSettings(settings, 'test')).toMatchObject({
      plans: [{ name: 'standard' }, { name: 'fast' }],
      ephemeral: true,
      logRetentionDays: 30,
      throttle: { ratePerSecond: 1_000, burst: 5 },
    });
    expect(parseSettings(settings, 'north')).toMatchObject({
      plans: [{ name: 'standard' }, { name: 'slow', slots: 3 }],
      ephemeral: false,
      throttle: { ratePerSecond: 7, burst: 5 },
    });
    expect(parseSettings(JSON.stringify(settings), 'test')).toEqual(parseSettings(settings, 'test'));
  });

  it('has its own stack name, either set or made of the common name and the stage', () => {
    const names = ['test', 'north'].map((stage) => parseSettings(settings, stage).stackName);
    expect(names).toEqual(['WarehouseControl-test', 'Warehouse-North']);
    expect(parseSettings({ ...settings, stackName: 'Wms' }, 'test').stackName).toBe('Wms-test');
  });

  it('is refused if the name of its stack has more than 60 characters', () => {
    const stages = { test: {}, long: {}, set: { stackName: 'Short' } };
    expect(refusalOf({ stackName: 'W'.repeat(55), stages: { ...stages, longer: {} } }, 'test')).toEqual([
      '  stages.longer.stackName: stackName can have at most 60 characters, including the name of the stage.',
    ]);
    expect(parseSettings({ stackName: 'W'.repeat(55), stages }, 'long').stackName).toHaveLength(60);
  });

  it.each([undefined, ''])('must be chosen if there are stages: %j', (stage) => {
    expect(refusalOf(settings, stage)).toEqual([
      '  stages: Choose a stage with --context stage=NAME, npm start -- --stage NAME, or npm run doctor -- --account NAME. The stages are test, north.',
    ]);
    expect(parseSettings({ logRetentionDays: 30 }, stage).stackName).toBe('WarehouseControl');
  });

  it('is refused if it does not exist', () => {
    const unknown = '  stages: There is no stage toString. The';
    expect(refusalOf(settings, 'toString')).toEqual([`${unknown} stages are test, north.`]);
    expect(refusalOf({}, 'toString')).toEqual([`${unknown} settings have no stages.`]);
  });

  it('stops the synthesis of any other stage if it has an issue, and each issue is listed once', () => {
    const wrong = {
      ...settings,
      logRetentionDays: 100,
      stages: {
        ...settings.stages,
        prod: { plans: { slow: 5 }, domain: {}, stages: {} },
        x: { ephemeral: 1 },
      },
    };
    expect(refusalOf(wrong, 'test')).toEqual([
      expect.stringMatching(/^ {2}logRetentionDays: /),
      expect.stringMatching(/^ {2}stages\.prod\.plans\.slow: A plan must be /),
      '  stages.prod.domain.name: The field name is missing.',
      '  stages.prod.domain.certificateArn: The field certificateArn is missing.',
      expect.stringMatching(/^ {2}stages\.prod\.stages: This field is unknown/),
      '  stages.x.ephemeral: ephemeral must be true or false.',
    ]);
  });

  it.each([
    ['test', /^ {2}stages: stages must be an object/],
    [null, /^ {2}stages: stages must be an object/],
    [{ 'te st': {} }, /^ {2}stages\.te st: The name of a stage/],
    [{ constructor: 5 }, /^ {2}stages\.constructor: A stage must be an object/],
    [JSON.parse('{"__proto__": {}}'), /^ {2}stages\.__proto__: The name of a stage/],
    [{ a: { stackName: 'X' }, b: { stackName: 'X' } }, /^ {2}stages\.b\.stackName: Another stage/],
  ])('is refused if its definition is wrong: %j', (stages, refusal) => {
    expect(refusalOf({ stages }, 'x')).toEqual([expect.stringMatching(refusal)]);
  });
});

describe('the settings account and region', () => {
  const own = { account: '123456789012', region: 'eu-central-1' };
  const refusal = (settings: object, CDK_DEFAULT_ACCOUNT?: string, CDK_DEFAULT_REGION?: string) => {
    const credentials = JSON.parse(JSON.stringify({ CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }));
    try {
      checkAccountAndRegion(parseSettings(settings), credentials);
    } catch (error) {
      return error instanceof SettingsError ? error.issues.map(({ pointer }) => pointer) : error;
    }
    return [];
  };

  it.each([
    ['123456789012', 'eu-central-1', []],
    ['210987654321', 'eu-central-1', ['#/account']],
    ['210987654321', 'us-east-1', ['#/account', '#/region']],
    // Without credentials, the CDK sets a default region.
    [undefined, 'us-east-1', []],
  ])('with credentials for %s in %s have the issues %j', (account, region, issues) => {
    expect(refusal(own, account, region)).toEqual(issues);
    expect(refusal({}, account, region)).toEqual([]);
  });

  it.each([
    ['eu-central-1:123456789012', '#/backup/vaultArn'],
    ['eu-west-1:123456789012', '#/domain/certificateArn'],
    ['eu-central-1:210987654321', '#/domain/certificateArn'],
  ])('with a vault for copies and a certificate in %s have the issue %s', (place, issue) => {
    const backup = { vaultArn: `arn:aws:backup:${place}:backup-vault:copies`, dailyFor: 1, monthlyFor: 1 };
    const domain = { name: 'wms.example.com', certificateArn: `arn:aws:acm:${place}:certificate/0f1e` };
    expect(refusal({ ...own, backup, domain })).toEqual([issue]);
    // Without these settings, the deployment is where the credentials are.
    expect(refusal({ backup, domain }, '123456789012', 'eu-central-1')).toEqual([issue]);
    for (const known of Object.entries(own))
      expect(refusal({ ...Object.fromEntries([known]), backup, domain })).toEqual([]);
  });
});
