import { delimiter, join } from 'node:path';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { expect, it } from 'vitest';
import { addValidations } from '../../infra/app.ts';
import { readAssembly } from '../../local/synthesis/assembly.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder, run, runApp } from '../support/run-app.ts';
import { sampleSettings } from './sample-settings.ts';
import { appOf, findingsIn, stackIn } from './template.ts';

it('cdk synthesizes without credentials, whatever Node the machine has', async () => {
  const home = temporaryFolder();
  const outdir = join(home, 'cdk.out');
  const cdk = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
  // The PATH of a terminal outside this project.
  const PATH = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'));
  const environment = { PATH: PATH.join(delimiter), HOME: home };
  const { exitCode, stderr } = await run('node', [cdk, 'synth', '--quiet', '--output', outdir], environment);
  expect(stderr).not.toMatch(/error/i);
  expect(exitCode).toBe(0);
  expect(readAssembly(outdir).stackName).toBe('WarehouseControl');
});

it('the synthesis stops at a finding of cdk-preflight', async () => {
  const { app, stack } = appOf();
  new LogGroup(stack, 'Log').addMetricFilter('Wrong', {
    filterPattern: FilterPattern.allEvents(),
    metricNamespace: 'Wrong',
    metricName: 'Wrong',
    // A selector begins with "$.".
    dimensions: { client: 'client' },
  });
  await addValidations(app, {});
  expect(() => app.synth()).toThrow('pf-logs-metric-dimension-selector');
});

it('synthesizes settings with every field, and no check of the CDK, of cdk-nag and of cdk-preflight finds anything', async () => {
  const outdir = join(temporaryFolder(), 'everything');
  const settings = { ...sampleSettings.everything, stages: { north: { stackName: 'Warehouse-North' } } };
  const result = await runApp({
    outdir,
    settings: JSON.stringify(settings),
    stage: 'north',
    validation: true,
  });
  expect(result).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(findingsIn(outdir)).toEqual([]);
  expect(readAssembly(outdir).stackName).toBe('Warehouse-North');
  const { properties } = stackIn(outdir);
  expect(properties).toMatchObject({ tags: { service: 'Warehouse-North', stage: 'north' } });
  // It is ephemeral.
  expect(properties).not.toMatchObject({ terminationProtection: true });
});
