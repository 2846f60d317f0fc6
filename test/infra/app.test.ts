import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it, vi } from 'vitest';
import { addChecks } from '../../infra/app.ts';
import { readAssembly } from '../../local/assembly.ts';
import { assembly, onlyMatch, synthesisResult, temporaryFolder } from '../support/assembly.ts';
import { projectFolder, run, runApp } from '../support/run-app.ts';
import { functionNames } from './gateway.ts';
import { sampleSettings } from './sample-settings.ts';
import { appOf } from './template.ts';

const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const findingsIn = (path: string) => jsonOf(join(path, 'validation-report.json')).pluginReports;
const templatesIn = async (path: string) =>
  existsSync(path) ? (await readdir(path)).filter((name) => name.endsWith('.template.json')) : [];

type Artifact = { type: string; environment?: string; properties?: Record<string, unknown> };
const stackIn = (path: string) => {
  const { artifacts }: { artifacts: Record<string, Artifact> } = jsonOf(join(path, 'manifest.json'));
  return onlyMatch(Object.values(artifacts), ({ type }) => type === 'aws:cloudformation:stack');
};

describe('the app', () => {
  it('stops at wrong settings, prints every fault and makes no template', async () => {
    const settings = {
      clients: ['a b', { name: 'x', username: 'a:b' }],
      logRetentionDays: 91,
      stage: 'live',
    };
    const outdir = join(temporaryFolder(), 'wrong');
    const { exitCode, stdout, stderr } = await runApp({ outdir, settings });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'The settings under "warehouse-control" in cdk.json are wrong:',
      expect.stringMatching(/^ {2}clients\.0: A client name must have /),
      expect.stringMatching(/^ {2}clients\.1\.username: .*colons/),
      expect.stringMatching(/^ {2}logRetentionDays: /),
      expect.stringMatching(/^ {2}stage: This field is unknown\. /),
    ]);
    expect(await templatesIn(outdir)).toEqual([]);
  });

  it('refuses credentials for another account than that of the settings', () => {
    const build = () => appOf({ account: '123456789012' }, { CDK_DEFAULT_ACCOUNT: '210987654321' });
    expect(build).toThrow(/^ {2}account: The settings require 123456789012/m);
  });

  it('synthesizes the settings of cdk.json for any account and region, and warns about firewall and mail', async () => {
    const path = await assembly();
    const { exitCode, stdout, stderr } = await synthesisResult();
    expect([exitCode, stdout]).toEqual([0, '']);
    const expected = [
      ...functionNames.map(() => /^Bundling asset /),
      ...[/^WARNING One address can flood the service /, /\/Api /, /^ +Acknowledge with /],
      ...[/^WARNING Nobody gets the alarms\. /, /\/Monitoring /, /^ +Acknowledge with /],
      /report/,
    ];
    expect(stderr.split('\n').filter(Boolean)).toEqual(expected.map((line) => expect.stringMatching(line)));
    expect(findingsIn(path)).toMatchObject([
      { conclusion: 'success', violations: [{ severity: 'warning' }, { severity: 'warning' }] },
    ]);
    expect(await templatesIn(path)).toEqual(['WarehouseControl.template.json']);
    expect(stackIn(path)).toMatchObject({
      environment: 'aws://unknown-account/unknown-region',
      properties: { terminationProtection: true },
    });
  });
});

it('cdk synthesizes settings with every field without a finding, credentials, or a Node of the machine', async () => {
  const home = temporaryFolder();
  const outdir = join(home, 'cdk.out');
  const settings = { ...sampleSettings.everything, stages: { north: { stackName: 'Warehouse-North' } } };
  const cdk = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
  const context = [`warehouse-control=${JSON.stringify(settings)}`, 'stage=north'];
  const args = [
    cdk,
    'synth',
    '--quiet',
    '--output',
    outdir,
    ...context.flatMap((pair) => ['--context', pair]),
  ];
  // The PATH of a terminal outside this project.
  const PATH = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'));
  const { exitCode, stderr } = await run('node', args, { PATH: PATH.join(delimiter), HOME: home });
  expect(stderr).not.toMatch(/error|warning/i);
  expect(exitCode).toBe(0);
  expect(findingsIn(outdir)).toEqual([]);
  expect(readAssembly(outdir).stackName).toBe('Warehouse-North');
  const { properties } = stackIn(outdir);
  expect(properties).toMatchObject({ tags: { service: 'Warehouse-North', stage: 'north' } });
  // It is ephemeral.
  expect(properties).not.toMatchObject({ terminationProtection: true });
});

it('the synthesis stops at a finding of cdk-preflight or cdk-nag, and acknowledges only these of cdk-nag', async () => {
  const acknowledge = vi.spyOn(Validations.prototype, 'acknowledge').mockReturnValue();
  const { app, stack, outdir } = appOf();
  acknowledge.mockRestore();
  new LogGroup(stack, 'Log').addMetricFilter('Wrong', {
    filterPattern: FilterPattern.allEvents(),
    metricNamespace: 'Wrong',
    metricName: 'Wrong',
    // Only cdk-preflight refuses it. A selector begins with "$.".
    dimensions: { client: 'client' },
  });
  await addChecks(app, {});
  expect(() => app.synth()).toThrow(expect.objectContaining({ name: 'ValidationFailed' }));
  type Report = { pluginName: string; conclusion: string; violations: { ruleName: string }[] };
  const reports: Report[] = findingsIn(outdir);
  expect(
    Object.fromEntries(
      reports.map(({ pluginName, conclusion, violations }) => [
        `${pluginName}: ${conclusion}`,
        [...new Set(violations.map(({ ruleName }) => ruleName.replace(/\[.*/, '')))].toSorted(),
      ]),
    ),
  ).toEqual({
    'cdk-preflight: failure': ['pf-logs-metric-dimension-selector'],
    'AwsSolutions: failure': [
      ...['AwsSolutions-APIG2', 'AwsSolutions-APIG3', 'AwsSolutions-COG4'],
      ...['AwsSolutions-IAM4', 'AwsSolutions-SMG4'],
    ],
  });
});
