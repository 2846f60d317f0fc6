import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, test, vi } from 'vitest';
import type { RunStep } from '../../local/run.ts';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { synthesize } from '../../local/synthesis/synthesis.ts';
import { assembly, renamedAssembly, temporaryFolder } from '../support/assembly.ts';
import {
  engineOf,
  eventually,
  killEngine,
  requestsTo,
  rowsOf,
  startCommand,
  startLocal,
  supervisorOf,
} from '../support/local-run.ts';
import { descendantsOf, isRunning } from '../support/processes.ts';
import { TableReader } from '../support/table-reader.ts';
import { runLocal, startInProcess } from './in-process-command.ts';
import { allGone, expectSilentEnd, KEPT, keepChange, processesOf } from './used-run.ts';

// Ctrl-C and a terminal that closes reach the whole group, also the functions with an event.
test.concurrent('SIGINT ends a run and all its processes silently', () => expectSilentEnd('SIGINT', 'group'));

test.concurrent('SIGHUP ends a run that serves nothing as silently', async () => {
  const assemblyFolder = renamedAssembly(await assembly(), 'Idle');
  const env = { DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') };
  const run = await startCommand({ args: ['--quiet', '--memory'], assemblyFolder, env, detached: true });
  process.kill(-run.pid, 'SIGHUP');
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
});

test('a run that is killed leaves no process and no file that others can read, and the next run has all acknowledged data', async () => {
  const run = await startCommand({ args: ['--quiet'] });
  await keepChange(run);
  const { Clients, Tables } = run.outputs();
  const modes = readdirSync(run.data).map((file) => statSync(join(run.data, file)).mode & 0o077);
  expect(new Set(modes)).toEqual(new Set([0]));
  const pids = processesOf(run.pid);
  await run.stop('SIGKILL');

  // The next run starts at once, while the processes of the killed one are still ending.
  const again = await startLocal({ data: run.data, isOnDisk: true });
  await allGone(pids);
  expect(again.outputs()).toMatchObject({ Clients, Tables });
  expect(await rowsOf(again, 'ChangeTimestamps')).toMatchObject([KEPT]);
});

test('the data folder of a version with fewer tables gets the tables that it lacks, and keeps its data', async () => {
  const run = await startLocal({ isOnDisk: true });
  await keepChange(run);
  const { client, names } = new TableReader(run.outputs());
  await client.send(new DeleteTableCommand({ TableName: names['AdminRecords'] }));
  await run.stop();

  const again = await startLocal({ data: run.data, isOnDisk: true });
  expect(await rowsOf(again, 'AdminRecords')).toEqual([]);
  expect(await rowsOf(again, 'ChangeTimestamps')).toMatchObject([KEPT]);
});

describe('an engine that ends', () => {
  const onDisk = 'The DynamoDB engine has ended. Its data is still in the data folder. Start the run again.';

  test('with its supervisor ends a run with one line of output, and keeps its data', async () => {
    const run = await startInProcess(temporaryFolder(), [`--assembly=${await assembly()}`]);
    const [engine, supervisor] = [engineOf(run), supervisorOf(run)];
    process.kill(supervisor, 'SIGKILL');
    expect(await run.exit).toMatchObject({ code: 1, stderr: `${onDisk}\n` });
    expect(isRunning(engine)).toBe(false);
    const kept = [engineProgram().dataFile, 'passwords.json'];
    expect(readdirSync(run.data)).toEqual(expect.arrayContaining(kept));
  });

  test('while its data in memory gets the demo ends the run with a sentence, and leaves no data', async () => {
    const data = temporaryFolder();
    const where = ['--port=0', `--data=${data}`, `--assembly=${await assembly()}`];
    const run = runLocal([...where, '--demo', '--memory']);
    await eventually(() => run.output.stdout.includes('Filling the tables'));
    killEngine({ ...requestsTo(data), pid: process.pid });
    const stderr = 'The DynamoDB engine has ended. Its data was in memory and is lost.\n';
    expect(await run.exit).toMatchObject({ code: 1, stderr });
    expect(readdirSync(data).sort()).toEqual(['functions.log', 'lock', 'outputs.json']);
  });

  /** Its end is known late, when calls to the engine have already failed. */
  const endEngine = (data: string) => {
    const isSupervisor = (command: string) => command.includes('engine-supervisor') && command.includes(data);
    const supervisor = descendantsOf(process.pid).find(({ command }) => isSupervisor(command))?.pid;
    if (supervisor === undefined) throw new Error('The engine has no supervisor.');
    process.kill(supervisor, 'SIGSTOP');
    process.kill(JSON.parse(readFileSync(join(data, 'engine.json'), 'utf8')).pid, 'SIGKILL');
    setTimeout(() => process.kill(supervisor, 'SIGCONT'), 700);
  };

  test.each(['before', 'after'])(
    '%s the step "Creating the tables" ends the start with a sentence',
    async (moment) => {
      const data = temporaryFolder();
      const runStep: RunStep = async (name, action) => {
        const isStep = name === 'Creating the tables';
        if (isStep && moment === 'before') endEngine(data);
        const result = await action();
        if (isStep && moment === 'after') endEngine(data);
        return result;
      };
      await expect(startLocal({ data, isOnDisk: true, runStep })).rejects.toThrow(onDisk);
    },
  );
});

test('a run that is stopped while it adds the demo ends at once', async () => {
  const where = [`--data=${temporaryFolder()}`, `--assembly=${renamedAssembly(await assembly(), 'Stopped')}`];
  vi.stubEnv('DYNAMODB_ENDPOINT', inject('dynamoDbEndpoint'));
  const run = runLocal(['--port=0', '--demo', ...where]);
  await eventually(() => run.output.stdout.includes('Filling the tables'));
  vi.unstubAllEnvs();
  const { code, stdout, stderr } = await run.stop();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('Ready');
});

test('a synthesis that fails is an error with its message, and never gets credentials', async () => {
  const folder = temporaryFolder();
  const command = join(folder, 'cdk.mjs');
  // The SDK finds credentials in these variables, in these files and on these machines.
  const program = `
    const { AWS_ACCESS_KEY_ID, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE, AWS_EC2_METADATA_DISABLED } = process.env;
    console.error('no settings of', process.argv.at(-1));
    console.error(AWS_ACCESS_KEY_ID, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE, AWS_EC2_METADATA_DISABLED);
    process.exitCode = 1;`;
  writeFileSync(command, program);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'OF_ENVIRONMENT').stubEnv('AWS_CONFIG_FILE', 'OF_FILE');
  const synthesis = synthesize(folder, new AbortController().signal, 'live', command);
  vi.unstubAllEnvs();
  await expect(synthesis).rejects.toThrow(
    'The synthesis failed:\nno settings of stage=live\nundefined /dev/null /dev/null true',
  );
});
