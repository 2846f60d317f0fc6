import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editedAssembly } from '../support/assembly.ts';
import { batchOf, newTimestamp } from '../support/batches.ts';
import { basic, send } from '../support/http-client.ts';
import {
  engineOf,
  eventually,
  killEngine,
  type LocalRun,
  projectFolder,
  rowsOf,
  startLocal,
} from '../support/local-run.ts';
import { commandOf, compileCache, descendantsOf, isRunning } from '../support/processes.ts';
import { scriptFunctions } from './scripted-functions.ts';

const useIt = async (run: LocalRun) => {
  expect((await run.post('changes', { Timestamp: '2026-03-01T08:15:30,123Z' })).status).toBe(200);
  const kept = await run.post('material-stock-balance', batchOf(20));
  expect(kept.status).toBe(200);
  return kept.json().SnapshotId;
};

/** Every process of a run: itself, the engine and its keeper, and the functions that have been used. */
const processesOf = (run: LocalRun) => [run.pid, ...descendantsOf(run.pid)];

const allGone = async (pids: number[]) => {
  await eventually(() => !pids.some(isRunning));
};

describe.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test('ends the run and everything that it has started, without a word', async () => {
    const run = await startLocal({ args: ['--quiet'] });
    await useIt(run);
    const pids = processesOf(run);
    // The keeper, the engine, the authorizer and two operations.
    expect(pids.length).toBeGreaterThanOrEqual(6);
    await run.stop(signal);
    await allGone(pids);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
  });
});

describe.concurrent('npm start', () => {
  test('synthesizes, serves, and ends with all of it on Ctrl-C', async () => {
    // Below the project, as the default is: what lies there is in a package of ES modules.
    const data = join(projectFolder, '.local', `test-${process.pid}`);
    const npm = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
      cwd: projectFolder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...compileCache() },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own takes the Ctrl-C as a terminal's would.
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
      const answer = await send(url, { headers: { Authorization: basic('warehouse', Clients.warehouse) } });
      expect(answer.status).toBe(200);
      const lastLine = () => said.trimEnd().split('\n').at(-1) ?? '';
      await eventually(() => / GET \/rest\/warehouse-control\/material-codes 200 /.test(lastLine()));
      const before = said;
      const pids = descendantsOf(npm.pid ?? 0);
      process.kill(group, 'SIGINT');
      await allGone(pids);
      expect(said).toBe(before);
    } finally {
      if (npm.exitCode === null && npm.signalCode === null) process.kill(group, 'SIGKILL');
      rmSync(data, { recursive: true, force: true });
    }
  });
});

describe.concurrent('a run that is killed', () => {
  test('leaves no process behind, and one that is started again has everything that was acknowledged', async () => {
    const run = await startLocal({ args: ['--quiet'] });
    const snapshotId = await useIt(run);
    const { Clients, Tables } = run.outputs();
    const pids = processesOf(run);
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

    // At once: whatever the killed run has left makes way by itself.
    const again = await startLocal({ data: run.data, args: ['--quiet'] });
    await allGone(pids);
    expect(again.outputs()).toMatchObject({ Clients, Tables });
    const kept = (await rowsOf(again, 'ChangeTimestamps')).map(({ Timestamp }) => Timestamp);
    expect(kept).toEqual(expect.arrayContaining(['2026-03-01T08:15:30,123Z', ...acknowledged]));
    expect(await rowsOf(again, 'BalanceSnapshots')).toMatchObject([
      { SnapshotId: snapshotId, EntryCount: 20 },
    ]);
    await useIt(again);
    await again.stop();
  });
});

describe.concurrent('a run that is killed with all of its process group', () => {
  test('leaves no engine behind either', async () => {
    const run = await startLocal({ args: ['--quiet'], detached: true });
    await useIt(run);
    const pids = processesOf(run);
    process.kill(-run.pid, 'SIGKILL');
    await allGone(pids);
  });
});

describe.concurrent('an engine that is killed', () => {
  test('is started again on its file, at the same address, and everything is still there', async () => {
    const run = await startLocal({ args: ['--quiet'] });
    const snapshotId = await useIt(run);
    const before = run.outputs();
    const engine = killEngine(run);
    await allGone([engine]);
    const change = { Timestamp: newTimestamp() };
    await eventually(async () => (await run.post('changes', change)).status === 200);
    expect(run.outputs()).toEqual(before);
    expect(engineOf(run)).not.toBe(engine);
    expect(await rowsOf(run, 'BalanceSnapshots')).toMatchObject([{ SnapshotId: snapshotId }]);
    await run.stop();
  });

  test('with its data in memory ends the run, which says so in one line', async () => {
    const run = await startLocal({ args: ['--quiet', '--memory'] });
    await useIt(run);
    const pids = processesOf(run);
    killEngine(run);
    const { code, stderr } = await run.exit;
    expect(stderr).toBe('The DynamoDB engine has ended, and with it the data that it had in memory.\n');
    expect(code).toBe(1);
    await allGone(pids);
  });

  test('together with its keeper ends the run, and no engine is left', async () => {
    const run = await startLocal({ args: ['--quiet'] });
    const pids = processesOf(run);
    const keeper = pids.find((pid) => /engine-keeper/.test(commandOf(pid))) ?? 0;
    process.kill(keeper, 'SIGKILL');
    const { code, stderr } = await run.exit;
    expect(stderr).toBe('The DynamoDB engine has ended and cannot be started again.\n');
    expect(code).toBe(1);
    await allGone(pids);
  });
});

describe.concurrent('a run that is ended during a request', () => {
  test('does not wait for the function', async () => {
    const run = await startLocal({
      assemblyFolder: await editedAssembly(scriptFunctions),
      args: ['--quiet'],
    });
    const headers = { Authorization: basic('allowed', 'any') };
    const answer = send(run.url('changes'), {
      method: 'POST',
      headers,
      body: '{"sleepMs": 20000, "say": "begun"}',
    });
    const isCut = expect(answer).rejects.toThrow();
    await eventually(() => run.functionsLog().includes('begun'));
    const pids = processesOf(run);
    await run.stop();
    await isCut;
    await allGone(pids);
  });
});

describe.concurrent('everything that listens', () => {
  /** Of /proc/net/tcp and tcp6: the local address of each listening socket, by inode. */
  const listeners = () =>
    ['tcp', 'tcp6'].flatMap((family) =>
      readFileSync(`/proc/net/${family}`, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[3] === '0A')
        .map((fields) => ({ address: fields[1]?.split(':')[0] ?? '', inode: fields[9] ?? '' })),
    );

  const socketsOf = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });

  test('does so on 127.0.0.1 alone', async () => {
    const run = await startLocal({ args: ['--quiet'] });
    await useIt(run);
    const own = new Set(processesOf(run).flatMap(socketsOf));
    const addresses = listeners()
      .filter(({ inode }) => own.has(inode))
      .map(({ address }) => address);
    // The gateway, two doors, the secrets, the control endpoint, and the engine.
    expect(addresses).toHaveLength(6);
    expect(new Set(addresses)).toEqual(new Set(['0100007F']));
    await run.stop();
  });
});
