import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { assembly, temporaryFolder } from '../support/assembly.ts';
import { newTimestamp } from '../support/batches.ts';
import {
  engineProcesses,
  eventually,
  killEngine,
  MAIN,
  rowsOf,
  startCommand,
  startLocal,
} from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { allGone, processesOf, useIt } from './used-run.ts';

test.concurrent.each(['SIGHUP', 'SIGTERM'] as const)(
  '%s ends a run and all its processes silently',
  async (signal) => {
    const run = await startCommand({ args: ['--quiet'] });
    await useIt(run);
    const pids = processesOf(run.pid);
    // The supervisor, the engine, the authorizer and two operations.
    expect(pids.length).toBeGreaterThanOrEqual(6);
    await run.stop(signal);
    await allGone(pids);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
  },
);

test.concurrent('a run whose process group is killed leaves no process behind', async () => {
  const run = await startCommand({ args: ['--quiet'], detached: true });
  await useIt(run);
  const pids = processesOf(run.pid);
  process.kill(-run.pid, 'SIGKILL');
  await allGone(pids);
});

test.concurrent('a run whose engine cannot open its data for a while answers 503, says why once, and then serves the data', async () => {
  const run = await startLocal({ isOnDisk: true });
  await useIt(run);
  const file = join(run.data, engineProgram().dataFile);
  const isFolder = statSync(file).isDirectory();
  renameSync(file, `${file}.away`);
  if (isFolder) writeFileSync(file, '');
  else mkdirSync(file);
  killEngine(run);
  await eventually(() => run.said.problems.includes('Message of the DynamoDB engine: '));
  expect((await run.post('changes', { Timestamp: newTimestamp() })).status).toBe(503);
  rmSync(file, { recursive: true });
  renameSync(`${file}.away`, file);
  const change = { Timestamp: newTimestamp() };
  await eventually(async () => (await run.post('changes', change)).status === 200);
  expect(await rowsOf(run, 'ChangeTimestamps')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ Timestamp: '2026-03-01T08:15:30,123Z' }),
      expect.objectContaining(change),
    ]),
  );
  expect(run.said.problems.match(/^Message of the DynamoDB engine: .+$/gm)).toHaveLength(1);
});

test.concurrent('a run that npm has started ends when npm alone gets a SIGTERM', async () => {
  const options = ['--port', '0', '--memory', '--quiet', '--data', temporaryFolder()];
  const npm = spawn('npm', ['start', '--', ...options, '--assembly', await assembly()], {
    cwd: projectFolder,
  });
  let said = '';
  npm.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await eventually(() => said.includes('Ready at'));
  const processes = processesOf(npm.pid ?? 0);
  expect(processes.length).toBeGreaterThan(1);
  npm.kill();
  await allGone(processes);
});

test.concurrent('a run that was started with a channel ends when the channel closes', async () => {
  const options = ['--port=0', '--memory', '--quiet', `--data=${temporaryFolder()}`];
  const run = fork(MAIN, [...options, `--assembly=${await assembly()}`], { execArgv: [], silent: true });
  const exit = once(run, 'exit');
  let said = '';
  run.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await eventually(() => said.includes('Ready at'));
  run.disconnect();
  expect(await exit).toEqual([0, null]);
});

test.concurrent('a run that cannot end is killed after 5 s, together with its engine', async () => {
  const preload = join(temporaryFolder(), 'endless.mjs');
  writeFileSync(preload, 'if (process.argv[1].endsWith("main.ts")) setInterval(() => {}, 1_000);');
  const run = await startCommand({ args: ['--quiet'], env: { NODE_OPTIONS: `--import ${preload}` } });
  await useIt(run);
  const pids = processesOf(run.pid);
  process.kill(engineProcesses(run).engine ?? 0, 'SIGSTOP');
  await run.stop();
  const stderr = 'The run did not end within 5 seconds, so its process was killed.\n';
  expect(await run.exit).toMatchObject({ code: 1, stderr });
  await allGone(pids);
});
