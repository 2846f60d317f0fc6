import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { assembly, temporaryFolder } from '../support/assembly.ts';
import { engineOf, eventually, killEngine, startCommand } from '../support/local-run.ts';
import { projectFolder } from '../support/run-app.ts';
import { runLocal } from './in-process-command.ts';
import { allGone, expectSilentEnd, keepChange, processesOf } from './used-run.ts';

test.concurrent('SIGTERM ends a run and all its processes silently', () =>
  expectSilentEnd('SIGTERM', 'process'));

test.concurrent('a run whose process group is killed leaves no process behind', async () => {
  const run = await startCommand({ args: ['--quiet'], detached: true });
  await keepChange(run);
  const pids = processesOf(run.pid);
  process.kill(-run.pid, 'SIGKILL');
  await allGone(pids);
});

test.concurrent('a run that npm has started ends when npm alone gets a SIGTERM', async () => {
  const options = ['--port', '0', '--memory', '--quiet', '--data', temporaryFolder()];
  const npm = spawn('npm', ['start', '--', ...options, '--assembly', await assembly()], {
    cwd: projectFolder,
  });
  let output = '';
  npm.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await eventually(() => output.includes('Ready at'));
  const processes = processesOf(npm.pid ?? 0);
  expect(processes.length).toBeGreaterThan(1);
  npm.kill();
  await allGone(processes);
});

const startEndless = async () => {
  const preload = join(temporaryFolder(), 'endless.mjs');
  writeFileSync(preload, 'if (process.argv[1].endsWith("main.ts")) setInterval(() => {}, 1_000);');
  const run = await startCommand({ args: ['--quiet'], env: { NODE_OPTIONS: `--import ${preload}` } });
  await keepChange(run);
  return run;
};

const KILLED = 'The run did not end within 5 seconds, so its process was killed.\n';

test.concurrent('a run that cannot end is killed after 5 s, together with its engine', async () => {
  const run = await startEndless();
  const pids = processesOf(run.pid);
  process.kill(engineOf(run), 'SIGSTOP');
  await run.stop();
  expect(await run.exit).toMatchObject({ code: 1, stderr: KILLED });
  await allGone(pids);
});

test.concurrent('a run that cannot end after its engine has ended is killed after 5 s', async () => {
  const run = await startEndless();
  killEngine(run);
  const stderr = expect.stringMatching(/^The DynamoDB engine has ended\..+\nThe run did not end .+\n$/);
  expect(await run.exit).toMatchObject({ code: 1, stderr });
});

test('a run that is stopped during its synthesis ends at once, and ends the synthesis', async () => {
  const data = temporaryFolder();
  const pidFile = join(data, 'pid');
  vi.stubEnv('CDK_APP', `sleep 3601 & echo $! >${pidFile}.new; mv ${pidFile}.new ${pidFile}; wait`);
  const run = runLocal(['--port=0', '--memory', `--data=${data}`]);
  await eventually(() => existsSync(pidFile));
  vi.unstubAllEnvs();
  expect(await run.stop()).toMatchObject({ code: 0, stderr: '' });
  await allGone([Number(readFileSync(pidFile, 'utf8'))]);
});
