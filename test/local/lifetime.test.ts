import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test, vi } from 'vitest';
import type { RunStep } from '../../local/run.ts';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { synthesize } from '../../local/synthesis/synthesis.ts';
import { assembly, renamedAssembly, temporaryFolder } from '../support/assembly.ts';
import {
  engineOf,
  eventually,
  functionProcesses,
  injectFaults,
  killEngine,
  rowsOf,
  startCommand,
  startLocal,
  supervisorOf,
} from '../support/local-run.ts';
import { descendantsOf, isRunning } from '../support/processes.ts';
import { runLocal, startInProcess } from './in-process-command.ts';
import { allGone, expectSilentEnd, processesOf, useIt } from './used-run.ts';

// Ctrl-C and a terminal that closes reach the whole group, also the functions with an event.
test.concurrent('SIGINT ends a run and all its processes silently', () => expectSilentEnd('SIGINT', 'group'));

test.concurrent('SIGHUP ends a run that serves nothing as silently', async () => {
  const run = await startCommand({ args: ['--quiet', '--memory'], detached: true });
  const pids = processesOf(run.pid);
  process.kill(-run.pid, 'SIGHUP');
  await allGone(pids);
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
});

test('a run that is killed leaves no process and no file that others can read, and the next run has all acknowledged data', async () => {
  const run = await startCommand({ args: ['--quiet'] });
  const snapshotId = await useIt(run);
  const { Clients, Tables } = run.outputs();
  const modes = readdirSync(run.data).map((file) => statSync(join(run.data, file)).mode & 0o077);
  expect(new Set(modes)).toEqual(new Set([0]));
  const pids = processesOf(run.pid);
  await run.stop('SIGKILL');

  // The next run starts at once, while the processes of the killed one are still ending.
  const again = await startLocal({ data: run.data, isOnDisk: true });
  await allGone(pids);
  expect(again.outputs()).toMatchObject({ Clients, Tables });
  expect(await rowsOf(again, 'ChangeTimestamps')).toMatchObject([{ Timestamp: '2026-03-01T08:15:30,123Z' }]);
  expect(await rowsOf(again, 'BalanceSnapshots')).toMatchObject([{ SnapshotId: snapshotId, EntryCount: 20 }]);
});

describe('an engine that is killed', () => {
  test.each([
    ['in memory', ['--memory'], 'was in memory and is lost.', ['functions.log', 'lock', 'outputs.json']],
    [
      'in a file',
      [],
      'is still in the data folder. Start the run again.',
      expect.arrayContaining([engineProgram().dataFile, 'passwords.json']),
    ],
  ])('with its data %s ends the run with one line of output', async (_, args, fate, files) => {
    const run = await startInProcess(temporaryFolder(), [`--assembly=${await assembly()}`, ...args]);
    if (args.length > 0) await useIt(run);
    killEngine(run);
    const stderr = `The DynamoDB engine has ended. Its data ${fate}\n`;
    expect(await run.exit).toMatchObject({ code: 1, stderr });
    expect(readdirSync(run.data).sort()).toEqual(files);
  });
});

test.each(['Creating the tables', 'Filling the tables'])(
  'an engine that ends during the step "%s" ends the run with a sentence',
  async (step) => {
    const data = temporaryFolder();
    const run = runLocal(['--port=0', '--demo', `--data=${data}`, `--assembly=${await assembly()}`]);
    await eventually(() => run.output.stdout.includes(step));
    process.kill(JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8')).pid, 'SIGKILL');
    const stderr = expect.stringMatching(/^The DynamoDB engine has ended\..+\n$/);
    expect(await run.exit).toMatchObject({ code: 1, stderr });
  },
);

test('an engine that ends before a client is added ends the start with a sentence, also if its end is known late', async () => {
  const data = temporaryFolder();
  const runStep: RunStep = async (name, action) => {
    const result = await action();
    if (name !== 'Creating the tables') return result;
    const isSupervisor = (command: string) => command.includes('engine-supervisor') && command.includes(data);
    const supervisor = descendantsOf(process.pid).find(({ command }) => isSupervisor(command))?.pid;
    if (supervisor === undefined) throw new Error('The engine has no supervisor.');
    process.kill(supervisor, 'SIGSTOP');
    process.kill(JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8')).pid, 'SIGKILL');
    // The calls to the engine have failed by then.
    setTimeout(() => process.kill(supervisor, 'SIGCONT'), 700);
    return result;
  };
  const starting = startLocal({ data, isOnDisk: true, runStep });
  await expect(starting).rejects.toThrow(/^The DynamoDB engine has ended\./);
});

test('a killed supervisor of the engine ends the run and the engine', async () => {
  const run = await startInProcess(temporaryFolder(), [`--assembly=${await assembly()}`]);
  const [engine, supervisor] = [engineOf(run), supervisorOf(run)];
  process.kill(supervisor, 'SIGKILL');
  const stderr =
    'The DynamoDB engine has ended. Its data is still in the data folder. Start the run again.\n';
  expect(await run.exit).toMatchObject({ code: 1, stderr });
  expect(isRunning(engine)).toBe(false);
});

describe('a run that is stopped', () => {
  test('while it adds the demo, ends at once', async () => {
    const where = [
      `--data=${temporaryFolder()}`,
      `--assembly=${renamedAssembly(await assembly(), 'Stopped')}`,
    ];
    vi.stubEnv('DYNAMODB_ENDPOINT', inject('dynamoDbEndpoint'));
    const run = runLocal(['--port=0', '--demo', ...where]);
    await eventually(() => run.output.stdout.includes('Filling the tables'));
    vi.unstubAllEnvs();
    const { code, stdout, stderr } = await run.stop();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('Ready');
  });

  test('during a delayed call, does not wait for it', async () => {
    const run = await startLocal();
    await injectFaults(run, { dynamodb: [{ kind: 'delay', delayMs: 3_600_000 }] });
    const cut = expect(run.get('purchase-orders')).rejects.toThrow();
    await eventually(() => functionProcesses(run, 'GetPurchaseOrders').length > 0);
    await run.stop();
    await cut;
    await eventually(() => functionProcesses(run, 'GetPurchaseOrders').length === 0);
  });
});

test('a synthesis that fails is an error with its message, and never gets credentials', async () => {
  const folder = temporaryFolder();
  const command = join(folder, 'cdk.mjs');
  const program = `import { DynamoDBClient } from '${import.meta.resolve('@aws-sdk/client-dynamodb')}';
    const { accessKeyId } = await new DynamoDBClient().config.credentials().catch(() => ({}));
    console.error('no settings of', process.argv.at(-1), 'for', accessKeyId);
    process.exitCode = 1;`;
  writeFileSync(command, program);
  mkdirSync(join(folder, '.aws'));
  const keys = 'aws_access_key_id = OF_FILE\naws_secret_access_key = x';
  for (const name of ['config', 'credentials'])
    writeFileSync(join(folder, '.aws', name), `[default]\n${keys}`);
  vi.stubEnv('HOME', folder).stubEnv('USERPROFILE', folder);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'OF_ENVIRONMENT').stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
  const synthesis = synthesize(folder, new AbortController().signal, 'live', command);
  vi.unstubAllEnvs();
  await expect(synthesis).rejects.toThrow(/^The synthesis failed:\nno settings of stage=live for undefined$/);
});
