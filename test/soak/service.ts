import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outputs } from '../../local/run.ts';
import { familyOf } from '../support/processes.ts';
import { projectFolder, runApp } from '../support/run-app.ts';
import { TableReader } from '../support/table-reader.ts';

/** Starts the program of `npm start` with its data in this folder, and with these clients. */
export const startService = async (folder: string, clients: readonly string[]) => {
  const assembly = join(folder, 'assembly');
  const data = join(folder, 'data');
  const { exitCode, stderr } = await runApp({ outdir: assembly, settings: { clients }, bundling: true });
  if (exitCode !== 0) throw new Error(`The synthesis failed: ${stderr}`);

  const args = ['--port', '0', '--quiet', '--no-throttle', '--assembly', assembly, '--data', data];
  const child = spawn(process.execPath, [join(projectFolder, 'local/cli/main.ts'), ...args], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  const ended = new AbortController();
  child.once('close', () => ended.abort(new Error(`The service ended: ${output.stderr}`)));
  while (!output.stdout.includes('Ready at')) await once(child.stdout, 'data', { signal: ended.signal });

  const outputs: Outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const tables = new TableReader(outputs);
  return {
    outputs,
    tables,
    /** Aborted when the program has ended for any reason. */
    ended: ended.signal,
    /** MB of the largest process of each kind. */
    memory: () => {
      const largest = new Map<string, number>();
      for (const { pid, command, kilobytes } of familyOf(child.pid ?? 0)) {
        const kind = pid === child.pid ? 'the run itself' : kindOf(command);
        if (kind) largest.set(kind, Math.max(largest.get(kind) ?? 0, kilobytes / 1_024));
      }
      return largest;
    },
    /** Ends the program. The complaints are the lines of its stderr, which include those of its functions. */
    stop: async () => {
      tables.client.destroy();
      child.kill('SIGTERM');
      if (!ended.signal.aborted) await once(child, 'close');
      return { exitCode: child.exitCode, complaints: output.stderr.split('\n').filter(Boolean) };
    },
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;

/** Undefined for a process that was just forked and still has the command of its parent. */
const kindOf = (command: string) => {
  const functionName = /function-bootstrap\.ts \S+-(\w+?)Function/.exec(command)?.[1];
  if (functionName) return `function ${functionName}`;
  return command.includes(' serve --port ') ? 'engine' : undefined;
};
