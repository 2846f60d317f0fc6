import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outputs } from '../../local/run.ts';
import { projectFolder } from '../support/run-app.ts';
import { TableReader } from '../support/table-reader.ts';

const CDK = join(projectFolder, 'node_modules/aws-cdk/bin/cdk');
const MAIN = join(projectFolder, 'local/cli/main.ts');

/** Starts the program of `npm start` in this folder with these clients. The signal kills it. */
export const startService = async (
  folder: string,
  { clients, isThrottled }: { clients: unknown[]; isThrottled: boolean },
  signal: AbortSignal,
) => {
  const assembly = join(folder, 'assembly');
  const data = join(folder, 'data');
  await synthesize(assembly, clients, signal);
  const args = ['--port', '0', '--quiet', '--assembly', assembly, '--data', data];
  const program = startProgram([MAIN, ...args, ...(isThrottled ? [] : ['--no-throttle'])], signal);
  const ended = new AbortController();
  void program.exit.then(() => ended.abort(new Error(`The service ended: ${program.output.stderr}`)));
  await untilReady(program, ended.signal);
  const outputs: Outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const tables = new TableReader(outputs);
  return {
    outputs,
    tables,
    pid: program.child.pid ?? 0,
    /** Aborted when the program has ended for any reason. */
    ended: ended.signal,
    /** Ends the program. The complaints are the lines of its stderr, which include those of its functions. */
    stop: async () => {
      tables.client.destroy();
      program.child.kill('SIGTERM');
      await program.exit;
      const complaints = program.output.stderr.split('\n').filter(Boolean);
      return { exitCode: program.child.exitCode, complaints };
    },
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;

/** Synthesizes as a deployment does. These settings override those of cdk.json. */
const synthesize = async (folder: string, clients: unknown[], signal: AbortSignal) => {
  const settings = `warehouse-control=${JSON.stringify({ clients })}`;
  const args = ['synth', '--quiet', '--output', folder, '--context', settings];
  const { child, output, exit } = startProgram([CDK, ...args], signal);
  await exit;
  signal.throwIfAborted();
  if (child.exitCode !== 0) throw new Error(`The synthesis failed: ${output.stderr}`);
};

const startProgram = (args: string[], signal: AbortSignal) => {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  // The signal also causes an error event.
  child.on('error', () => {});
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  // Unlike exit, the close event also waits for the child processes.
  const exit = new Promise((resolve) => child.once('close', resolve));
  return { child, output, exit };
};

const untilReady = async ({ child, output }: ReturnType<typeof startProgram>, ended: AbortSignal) => {
  while (!output.stdout.includes('Ready at')) {
    await once(child.stdout, 'data', { signal: ended }).catch(() => ended.throwIfAborted());
  }
};
