import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readAssembly } from '../../local/assembly.ts';
import { LocalStack } from '../../local/stack.ts';
import { synthesisResult } from '../support/assembly.ts';
import { cdkJson, projectFolder, type Result, run, runApp } from '../support/run-app.ts';

const folder = await mkdtemp(join(tmpdir(), 'warehouse-control-'));
afterAll(() => rm(folder, { recursive: true }));

const outdir = (name: string) => join(folder, name);
const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const templatesIn = async (path: string) =>
  existsSync(path) ? (await readdir(path)).filter((name) => name.endsWith('.template.json')) : [];

type Artifact = { type: string; environment?: string; properties?: Record<string, unknown> };
const stackIn = (path: string) => {
  const { artifacts }: { artifacts: Record<string, Artifact> } = jsonOf(join(path, 'manifest.json'));
  return Object.entries(artifacts).find(([, { type }]) => type === 'aws:cloudformation:stack') ?? [];
};

describe('wrong settings', () => {
  const wrong = { clients: ['a b', { name: 'x', username: 'a:b' }], logRetentionDays: 91, stage: 'live' };

  it.each([
    ['in cdk.json', wrong],
    ['on the command line', JSON.stringify(wrong)],
  ])('%s stop the synthesis, and every fault is named', async (where, settings) => {
    const path = outdir(`wrong ${where}`);
    const { exitCode, stdout, stderr } = await runApp({ outdir: path, settings });
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toEqual([
      'The settings under "warehouse-control" in cdk.json are wrong:',
      expect.stringMatching(/^ {2}clients\.0: A client name takes /),
      expect.stringMatching(/^ {2}clients\.1\.username: .*colons/),
      expect.stringMatching(/^ {2}logRetentionDays: /),
      expect.stringMatching(/^ {2}stage: This field is not known; /),
    ]);
    expect(await templatesIn(path)).toEqual([]);
  });
});

describe('credentials for another account than that of the deployment', () => {
  it('stop the synthesis', async () => {
    const path = outdir('elsewhere');
    const settings = { account: '123456789012' };
    const { exitCode, stderr } = await runApp({ outdir: path, settings, account: '210987654321' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('account: This deployment belongs to 123456789012');
    expect(await templatesIn(path)).toEqual([]);
  });
});

describe('the settings of cdk.json', () => {
  const path = inject('assemblyFolder');
  let result: Result;
  beforeAll(async () => {
    result = await synthesisResult();
  });

  it('synthesize without a warning', () => {
    const onlyBundling = expect.stringMatching(/^(Bundling asset .*\n){5}$/);
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: onlyBundling });
  });

  it('give one stack, for any account and region', async () => {
    expect(await templatesIn(path)).toEqual(['WarehouseControl.template.json']);
    const [name, stack] = stackIn(path);
    expect(name).toBe('WarehouseControl');
    expect(stack?.environment).toBe('aws://unknown-account/unknown-region');
  });

  it('protect the stack from deletion', () => {
    const [, stack] = stackIn(path);
    expect(stack?.properties).toMatchObject({ terminationProtection: true });
  });

  it('give a template without a finding', () => {
    expect(jsonOf(join(path, 'validation-report.json'))).toMatchObject({ pluginReports: [] });
  });
});

describe('settings that set everything', () => {
  const path = outdir('everything');
  let result: Result;
  beforeAll(async () => {
    const settings = {
      stackName: 'Warehouse',
      clients: ['warehouse', { name: 'wms.1', username: 'DOMAIN\\кладовщик' }],
      ephemeral: true,
      credentialOverlapHours: 0,
      throttle: { ratePerSecond: 7, burst: 9 },
      allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
      logRetentionDays: 7,
      snapshotRetentionDays: 365,
      domain: {
        name: 'wms.example.com',
        certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0f1e2d3c',
      },
      alarms: {
        email: 'admins@example.com',
        silenceHours: 168,
        wrongCredentialsPerHour: 20,
        runbook: 'https://wiki.example.com/warehouse',
      },
      firewall: { requestsPerFiveMinutes: 3_000 },
      account: '123456789012',
      region: 'eu-central-1',
      stages: { north: { stackName: 'Warehouse-North' } },
    };
    result = await runApp({ outdir: path, settings: JSON.stringify(settings), stage: 'north' });
  });

  it('synthesize without a warning and without a finding', () => {
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(jsonOf(join(path, 'validation-report.json'))).toMatchObject({ pluginReports: [] });
  });

  it('give a stack of the name that is set, which may be deleted', () => {
    const [name, stack] = stackIn(path);
    expect(name).toBe('Warehouse-North');
    expect(stack?.properties).not.toMatchObject({ terminationProtection: true });
  });

  it('give outputs that a local run of it can tell', () => {
    const { stackName, template } = readAssembly(path);
    const { ClientNames, DomainTarget } = new LocalStack(stackName, template).outputs;
    expect([ClientNames, DomainTarget]).toEqual(['warehouse,wms.1', expect.stringMatching(/\.invalid$/)]);
  });
});

describe('a finding of cdk-nag that nobody has acknowledged', () => {
  const path = outdir('unacknowledged');
  let result: Result;
  beforeAll(async () => {
    const preload = new URL('unacknowledged.ts', import.meta.url).href;
    result = await runApp({ outdir: path, settings: {}, preload });
  });

  it('stops the synthesis', () => {
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain('Validation failed');
  });

  it('is reported, and so is no rule beyond those that the stack acknowledges', () => {
    const { pluginReports } = jsonOf(join(path, 'validation-report.json'));
    type Report = { pluginName: string; conclusion: string; violations: { ruleName: string }[] };
    const found = pluginReports.map(({ pluginName, conclusion, violations }: Report) => ({
      pluginName,
      conclusion,
      rules: violations.map(({ ruleName }) => ruleName.replace(/\[.*/, '')).toSorted(),
    }));
    expect(found).toEqual([
      {
        pluginName: 'AwsSolutions',
        conclusion: 'failure',
        rules: [
          'AwsSolutions-APIG2',
          'AwsSolutions-APIG3',
          'AwsSolutions-COG4',
          'AwsSolutions-IAM4',
          'AwsSolutions-SMG4',
        ],
      },
    ]);
  });
});

describe('the command of cdk.json', () => {
  it('brings the Node that Lambda runs, whatever the machine has', async () => {
    const installed = (process.env['PATH'] ?? '')
      .split(delimiter)
      .filter((entry) => !entry.includes('node_modules'))
      .join(delimiter);
    const [file = '', ...args] = cdkJson.app.replace('infra/app.ts', '--version').split(' ');
    const { exitCode, stdout } = await run(file, args, { PATH: installed, HOME: folder });
    const { version } = jsonOf(join(projectFolder, 'node_modules/node/package.json'));
    expect(exitCode).toBe(0);
    expect(stdout.trim()).toBe(`v${version}`);
    expect(stdout).toMatch(/^v24\./);
  });
});
