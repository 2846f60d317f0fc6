import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFolder, run } from '../support/run-app.ts';

const folder = await mkdtemp(join(tmpdir(), 'warehouse-control-'));
afterAll(() => rm(folder, { recursive: true }));

/** What a terminal has that knows nothing of this project: the machine's own node, however old. */
const pathOfTheMachine = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((entry) => !entry.includes('node_modules'))
  .join(delimiter);

const cdk = (...args: string[]) =>
  run('node', [join(projectFolder, 'node_modules/aws-cdk/bin/cdk'), ...args], {
    PATH: pathOfTheMachine,
    HOME: folder,
  });

describe('the CDK command, installed globally or not, on a node of its own', () => {
  it('synthesizes, with the Node that the app brings, and without an account', async () => {
    const output = join(folder, 'right');
    const { exitCode, stderr } = await cdk('synth', '--quiet', '--output', output);
    expect(stderr).not.toMatch(/error/i);
    expect(exitCode).toBe(0);
    expect(existsSync(join(output, 'WarehouseControl.template.json'))).toBe(true);
  });

  it('stops at wrong settings and shows what is wrong', async () => {
    const output = join(folder, 'wrong');
    const settings = 'warehouse-control={"clients":[]}';
    const { exitCode, stderr } = await cdk('synth', '--quiet', '--output', output, '--context', settings);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('  clients: A deployment has at least one client.');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
