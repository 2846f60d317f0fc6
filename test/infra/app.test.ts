import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readAssembly } from '../../local/assembly.ts';
import { Permissions } from '../../local/services/permissions.ts';
import { LocalStack } from '../../local/stack.ts';
import { onlyMatch, synthesisResult } from '../support/assembly.ts';
import { cdkJson, NO_VALIDATION, projectFolder, type Result, run, runApp } from '../support/run-app.ts';
import { functionNames } from './gateway.ts';
import { sampleSettings } from './sample-settings.ts';

const folder = await mkdtemp(join(tmpdir(), 'warehouse-control-'));
afterAll(() => rm(folder, { recursive: true }));

const outdir = (name: string) => join(folder, name);
const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const findingsIn = (path: string) => jsonOf(join(path, 'validation-report.json')).pluginReports;
const templatesIn = async (path: string) =>
  existsSync(path) ? (await readdir(path)).filter((name) => name.endsWith('.template.json')) : [];

type Artifact = { type: string; environment?: string; properties?: Record<string, unknown> };
const stackIn = (path: string) => {
  const { artifacts }: { artifacts: Record<string, Artifact> } = jsonOf(join(path, 'manifest.json'));
  return Object.entries(artifacts).find(([, { type }]) => type === 'aws:cloudformation:stack') ?? [];
};

describe('the synthesis stops and reports the faults', () => {
  const wrong = { clients: ['a b', { name: 'x', username: 'a:b' }], logRetentionDays: 91, stage: 'live' };
  const faults = [
    /^ {2}clients\.0: A client name must have /,
    /^ {2}clients\.1\.username: .*colons/,
    /^ {2}logRetentionDays: /,
    /^ {2}stage: This field is unknown\. /,
  ];

  it.each([
    ['wrong settings in cdk.json', { settings: wrong }, faults],
    [
      'credentials for another account',
      { settings: { account: '123456789012' }, account: '210987654321' },
      [/^ {2}account: The settings require 123456789012/],
    ],
  ])('for %s', async (where, options, expected) => {
    const path = outdir(where);
    const { exitCode, stdout, stderr } = await runApp({ outdir: path, ...options });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'The settings under "warehouse-control" in cdk.json are wrong:',
      ...expected.map((fault) => expect.stringMatching(fault)),
    ]);
    expect(await templatesIn(path)).toEqual([]);
  });
});

describe('the settings of cdk.json', () => {
  const path = inject('assemblyFolder');
  let result: Result;
  beforeAll(async () => {
    result = await synthesisResult();
  });

  it('synthesize without a finding, and warn only about the firewall and the mail of the alarms', () => {
    expect(result).toMatchObject({ exitCode: 0, stdout: '' });
    const bundling = functionNames.map(() => expect.stringMatching(/^Bundling asset .*/));
    const warning = [
      ...[/^WARNING One address can flood the service /, /\/Api /, /^ +Acknowledge with /, /^$/],
      ...[/^WARNING Nobody gets the alarms\. /, /\/Monitoring /, /^ +Acknowledge with /, /^$/],
      /report/,
    ];
    expect(result.stderr.trimEnd().split('\n')).toEqual([
      ...bundling,
      ...warning.map((line) => expect.stringMatching(line)),
    ]);
    expect(findingsIn(path)).toMatchObject([
      {
        conclusion: 'success',
        violations: [
          { ruleName: 'Annotation::warehouse-control:no-firewall', severity: 'warning' },
          { ruleName: 'Annotation::warehouse-control:no-alarm-email', severity: 'warning' },
        ],
      },
    ]);
  });

  it('make one stack for any account and region, protected from deletion', async () => {
    expect(await templatesIn(path)).toEqual(['WarehouseControl.template.json']);
    expect(stackIn(path)).toMatchObject([
      'WarehouseControl',
      { environment: 'aws://unknown-account/unknown-region', properties: { terminationProtection: true } },
    ]);
  });
});

describe('settings with every field', () => {
  const path = outdir('everything');
  let result: Result;
  beforeAll(async () => {
    const settings = {
      ...sampleSettings.everything,
      stages: { north: { stackName: 'Warehouse-North' } },
    };
    result = await runApp({ outdir: path, settings: JSON.stringify(settings), stage: 'north' });
  });

  it('synthesize without a warning and without a finding', () => {
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(findingsIn(path)).toEqual([]);
  });

  it('make an ephemeral stack with the name of the stage, without protection from deletion', () => {
    const [name, stack] = stackIn(path);
    expect(name).toBe('Warehouse-North');
    expect(stack?.properties).not.toMatchObject({ terminationProtection: true });
  });

  it('set the tags with the stack and the stage on all resources', () => {
    const [, stack] = stackIn(path);
    expect(stack?.properties).toMatchObject({ tags: { service: 'Warehouse-North', stage: 'north' } });
    const resources = Object.values(readAssembly(path).template.Resources);
    const topic = onlyMatch(resources, ({ Type }) => Type === 'AWS::SNS::Topic');
    expect(topic.Properties?.['Tags']).toEqual([
      { Key: 'service', Value: 'Warehouse-North' },
      { Key: 'stage', Value: 'north' },
    ]);
  });

  it('make outputs and permissions that the local run can resolve', () => {
    const { stackName, template } = readAssembly(path);
    const stack = new LocalStack(stackName, template);
    const services = new Permissions(stack).granted.map(({ action }) => action.split(':')[0]);
    expect([...new Set(services)].toSorted()).toEqual(['dynamodb', 'logs', 'secretsmanager']);
    const { ClientNames, DomainTarget, BackupVaultName } = stack.outputs;
    expect([ClientNames, DomainTarget, BackupVaultName]).toEqual([
      'warehouse,wms.1',
      expect.stringMatching(/\.invalid$/),
      expect.stringMatching(/^Warehouse-North-BackupVault/),
    ]);
  });
});

it('the synthesis stops at a finding of cdk-preflight or cdk-nag, and acknowledges only these of cdk-nag', async () => {
  const path = outdir('unacknowledged');
  const preload = new URL('unacknowledged.ts', import.meta.url).href;
  const { exitCode, stderr } = await runApp({ outdir: path, settings: {}, preload });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('Validation failed');
  type Report = { pluginName: string; conclusion: string; violations: { ruleName: string }[] };
  const reports: Report[] = findingsIn(path);
  const reportOf = (plugin: string) => onlyMatch(reports, ({ pluginName }) => pluginName === plugin);
  const preflight = reportOf('cdk-preflight');
  expect(preflight.conclusion).toBe('failure');
  const rules = preflight.violations.map(({ ruleName }) => ruleName);
  expect(new Set(rules)).toEqual(new Set(['pf-logs-metric-dimension-selector']));
  const { conclusion, violations } = reportOf('AwsSolutions');
  expect(conclusion).toBe('failure');
  expect(violations.map(({ ruleName }) => ruleName.replace(/\[.*/, '')).toSorted()).toEqual([
    'AwsSolutions-APIG2',
    'AwsSolutions-APIG3',
    'AwsSolutions-COG4',
    'AwsSolutions-IAM4',
    'AwsSolutions-SMG4',
  ]);
});

describe('with any Node version on the machine', () => {
  /** The PATH of a terminal outside this project. */
  const PATH = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(delimiter);
  const outside = (file: string, args: string[]) => run(file, args, { PATH, HOME: folder, ...NO_VALIDATION });

  it('the command of cdk.json runs the Node version of Lambda', async () => {
    const [file = '', ...args] = cdkJson.app.replace('infra/app.ts', '--version').split(' ');
    const { version } = jsonOf(join(projectFolder, 'node_modules/node/package.json'));
    expect(version).toMatch(/^24\./);
    expect(await outside(file, args)).toMatchObject({ exitCode: 0, stdout: `v${version}\n` });
  });

  it('cdk synthesizes without credentials for an account', async () => {
    const cdk = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
    const { exitCode, stderr } = await outside('node', [cdk, 'synth', '--quiet', '--output', outdir('cdk')]);
    expect(stderr).not.toMatch(/error/i);
    expect(exitCode).toBe(0);
    expect(await templatesIn(outdir('cdk'))).toEqual(['WarehouseControl.template.json']);
  });
});
