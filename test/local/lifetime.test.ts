import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { engineProgram } from '../../local/services/engine-programs.ts';
import { assembly, demoAssembly, editedAssembly, temporaryFolder } from '../support/assembly.ts';
import { batchOf, newTimestamp } from '../support/batches.ts';
import { basic, send } from '../support/http-client.ts';
import {
  type AnyRun,
  disturb,
  engineOf,
  eventually,
  functionProcesses,
  killEngine,
  MAIN,
  rowsOf,
  spawnLocal,
  startCommand,
} from '../support/local-run.ts';
import { compileCache, descendantsOf, familyOf, isRunning } from '../support/processes.ts';
import { projectFolder } from '../support/run-app.ts';
import { scriptFunctions } from './scripted-functions.ts';

const useIt = async (run: AnyRun) => {
  expect((await run.post('changes', { Timestamp: '2026-03-01T08:15:30,123Z' })).status).toBe(200);
  const kept = await run.post('material-stock-balance', batchOf(20));
  expect(kept.status).toBe(200);
  return kept.json().SnapshotId;
};

/** Every process of a run: itself, the engine and its supervisor, and the functions that have been used. */
const processesOf = (pid: number) => familyOf(pid).map((process) => process.pid);

const allGone = (pids: number[]) => eventually(() => !isRunning(...pids));

/** The addresses of this machine except the one that services may use. */
const otherAddresses = [
  '127.0.0.2',
  ...Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address)),
].filter((address) => address !== '127.0.0.1');

const canConnect = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });

test.concurrent('a run and all its processes listen on 127.0.0.1 alone', async () => {
  const run = await startCommand({
    assemblyFolder: await editedAssembly(scriptFunctions),
    args: ['--quiet', '--memory'],
  });
  const answer = await send(run.url('material-codes'), {
    headers: { Authorization: basic('allowed', 'any') },
  });
  const { env } = answer.json();
  const { BaseUrl, DynamoDbEndpoint, SecretsEndpoint, ControlEndpoint } = run.outputs();
  const proxies = [env.AWS_ENDPOINT_URL_DYNAMODB, env.AWS_ENDPOINT_URL_SECRETS_MANAGER];
  const urls = [BaseUrl, DynamoDbEndpoint, SecretsEndpoint, ControlEndpoint, ...proxies];
  for (const port of urls.map((url) => Number(new URL(url).port))) {
    expect(await canConnect('127.0.0.1', port)).toBe(true);
    for (const address of otherAddresses) expect(await canConnect(address, port)).toBe(false);
  }
  await run.stop();
});

// The tests below end a run by SIGINT and by SIGTERM.
test.concurrent('SIGHUP ends a run and all its processes silently', async () => {
  const run = await startCommand({ args: ['--quiet'] });
  await useIt(run);
  const pids = processesOf(run.pid);
  // The supervisor, the engine, the authorizer and two operations.
  expect(pids.length).toBeGreaterThanOrEqual(6);
  await run.stop('SIGHUP');
  await allGone(pids);
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
});

test.concurrent('npm start --demo synthesizes four clients, serves, and ends all its processes on Ctrl-C', async () => {
  // In the project, like the default folder, so files are read as ES modules.
  const data = join(projectFolder, '.local', `test-${process.pid}`);
  const npm = spawn('npm', ['start', '--', '--demo', '--port', '0', '--data', data], {
    cwd: projectFolder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...compileCache(),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Ctrl-C in a terminal goes to a whole process group.
    detached: true,
  });
  const group = -(npm.pid ?? 0);
  try {
    let said = '';
    npm.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await eventually(() => {
      if (npm.exitCode !== null) throw new Error(`It ended: ${said}`);
      return said.includes('Ctrl-C ends everything');
    });
    const { BaseUrl, Clients } = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
    const url = `${BaseUrl}/rest/warehouse-control/material-codes`;
    expect(Object.keys(Clients)).toEqual(['warehouse', 'north', 'south', 'east']);
    const answer = await send(url, { headers: { Authorization: basic('north', Clients.north) } });
    expect(answer.status).toBe(200);
    const lastLine = () => said.trimEnd().split('\n').at(-1) ?? '';
    await eventually(() => / GET \/rest\/warehouse-control\/material-codes 200 /.test(lastLine()));
    const before = said;
    const pids = processesOf(npm.pid ?? 0);
    process.kill(group, 'SIGINT');
    await allGone(pids);
    expect(said).toBe(before);
  } finally {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(group, 'SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
});

test.concurrent('a run that is killed alone or with its process group leaves no process behind, and the next run has all acknowledged data', async () => {
  const run = await startCommand({ args: ['--quiet'] });
  const snapshotId = await useIt(run);
  const { Clients, Tables } = run.outputs();
  const pids = processesOf(run.pid);
  let isOver = false;
  const acknowledged: string[] = [];
  const writing = (async () => {
    while (!isOver) {
      const Timestamp = newTimestamp();
      const answer = await run.post('changes', { Timestamp }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(Timestamp);
    }
  })();
  await eventually(() => acknowledged.length > 20);
  await run.stop('SIGKILL');
  isOver = true;
  await writing;

  // The next run starts at once, while the processes of the killed one are still ending.
  const again = await startCommand({ data: run.data, args: ['--quiet'], detached: true });
  await allGone(pids);
  expect(again.outputs()).toMatchObject({ Clients, Tables });
  const kept = (await rowsOf(again, 'ChangeTimestamps')).map(({ Timestamp }) => Timestamp);
  expect(kept).toEqual(expect.arrayContaining(['2026-03-01T08:15:30,123Z', ...acknowledged]));
  expect(await rowsOf(again, 'BalanceSnapshots')).toMatchObject([{ SnapshotId: snapshotId, EntryCount: 20 }]);
  await useIt(again);
  const others = processesOf(again.pid);
  // Signals the whole process group, as a terminal does.
  process.kill(-again.pid, 'SIGKILL');
  await allGone(others);
});

// test/faults/engine-killed covers an engine with its data in a file, which starts again.
describe.concurrent('an engine that is killed', () => {
  const killKeeper = (run: AnyRun) => {
    const supervisor = descendantsOf(run.pid).find(({ command }) => /engine-supervisor/.test(command));
    process.kill(supervisor?.pid ?? 0, 'SIGKILL');
  };

  test.each([
    [
      'with its data in memory',
      ['--memory'],
      killEngine,
      'The DynamoDB engine has ended. Its data was in memory and is lost.\n',
      ['functions.log', 'lock', 'outputs.json'],
    ],
    [
      'together with its supervisor',
      [],
      killKeeper,
      'The DynamoDB engine has ended. Its data is still in the data folder. Start the run again.\n',
      expect.arrayContaining([engineProgram().dataFile, 'secrets.json']),
    ],
  ])('%s ends the run with one line of output', async (_, args, kill, message, files) => {
    const run = await startCommand({ args: ['--quiet', ...args] });
    await useIt(run);
    const pids = processesOf(run.pid);
    kill(run);
    expect(await run.exit).toMatchObject({ code: 1, stderr: message });
    await allGone(pids);
    expect(readdirSync(run.data).sort()).toEqual(files);
  });
});

test.concurrent('a run whose engine cannot open its data for a while answers 503, says why once, and then serves the data', async () => {
  const run = await startCommand({ args: ['--quiet'] });
  await useIt(run);
  const file = join(run.data, engineProgram().dataFile);
  const isFolder = statSync(file).isDirectory();
  renameSync(file, `${file}.away`);
  if (isFolder) writeFileSync(file, '');
  else mkdirSync(file);
  killEngine(run);
  // Several restarts fail.
  await sleep(5_000);
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
  expect(run.said.stderr.match(/^Message of the DynamoDB engine: .+$/gm)).toHaveLength(1);
  await run.stop();
});

test.concurrent('a run that gets a SIGINT while it adds the demo ends at once', async () => {
  const run = spawnLocal(
    ['--port=0', '--memory', '--demo', `--data=${temporaryFolder()}`, `--assembly=${await demoAssembly()}`],
    {},
  );
  await eventually(() => run.said.stdout.includes('Filling the tables'));
  const pids = descendantsOf(run.child.pid ?? 0).map(({ pid }) => pid);
  run.child.kill('SIGINT');
  expect(await run.exit).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining('Ready'),
    stderr: '',
  });
  await allGone(pids);
});

test.concurrent('a run that gets a SIGINT ends without waiting for a delayed call', async () => {
  const run = await startCommand({ args: ['--quiet', '--memory'] });
  await disturb(run, { dynamodb: [{ kind: 'delay', delayMs: 3_600_000 }] });
  const cut = expect(run.get('purchase-orders')).rejects.toThrow();
  await eventually(() => functionProcesses(run, 'GetPurchaseOrders').length > 0);
  await run.stop('SIGINT');
  await cut;
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
});

test.concurrent('a run that ends while events wait for a process starts no new process', async () => {
  const run = await startCommand({
    assemblyFolder: await editedAssembly(scriptFunctions),
    args: ['--quiet', '--no-throttle', '--memory'],
  });
  const headers = { Authorization: basic('allowed', 'any') };
  const body = '{"sleepMs": 20000, "say": "begun"}';
  // A function has 16 processes at most.
  const cut = Array.from({ length: 20 }, () =>
    send(run.url('changes'), { method: 'POST', headers, body }).then(
      () => 'answered',
      () => 'cut',
    ),
  );
  await eventually(() => run.functionsLog().split('begun').length > 16);
  const pids = processesOf(run.pid);
  await run.stop();
  expect(new Set(await Promise.all(cut))).toEqual(new Set(['cut']));
  await allGone(pids);
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
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

test.concurrent('a run that is stopped while it synthesizes ends at once, with the synthesis', async () => {
  const env = { CDK_APP: 'sleep 60; true' };
  const run = spawnLocal(['--port', '0', '--data', temporaryFolder()], { env });
  const pid = run.child.pid ?? 0;
  await eventually(() => descendantsOf(pid).some(({ command }) => command.startsWith('sleep 60')));
  const pids = processesOf(pid);
  run.child.kill();
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
  await allGone(pids);
});

test.concurrent('a run whose synthesis fails ends with its message', async () => {
  const env = { CDK_APP: 'echo no settings >&2; exit 1' };
  const run = spawnLocal(['--port', '0', '--data', temporaryFolder()], { env });
  expect(await run.exit).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The synthesis failed:\nno settings\n/),
  });
});

test.concurrent('a run that cannot end is killed after 5 s, together with its engine', async () => {
  const preload = join(temporaryFolder(), 'endless.mjs');
  writeFileSync(preload, 'if (process.argv[1].endsWith("main.ts")) setInterval(() => {}, 1_000);');
  const run = await startCommand({ args: ['--quiet'], env: { NODE_OPTIONS: `--import ${preload}` } });
  await useIt(run);
  const pids = processesOf(run.pid);
  process.kill(engineOf(run)?.pid ?? 0, 'SIGSTOP');
  await run.stop();
  const stderr = 'The run did not end within 5 seconds, so its process was killed.\n';
  expect(await run.exit).toMatchObject({ code: 1, stderr });
  await allGone(pids);
});
