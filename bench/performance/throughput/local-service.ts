import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outputs } from '../../../local/run.ts';
import { untilReady } from '../../harness/until-ready.ts';

const MAIN = fileURLToPath(new URL('../../../local/cli/main.ts', import.meta.url));

/** What `npm start` starts, in a folder of its own and without the limit of requests that the template sets. */
export const startLocalService = async () => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-throughput-'));
  const child = spawn(process.execPath, [MAIN, '--port', '0', '--data', data, '--quiet', '--no-throttle'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(data, { recursive: true });
  };
  try {
    await untilReady(child.stdout);
    const outputs: Outputs = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
    const [[user, password] = ['', '']] = Object.entries(outputs.Clients);
    return {
      pid: child.pid ?? 0,
      url: `${outputs.BaseUrl}/rest/warehouse-control/`,
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      tables: outputs.Tables,
      engine: outputs.DynamoDbEndpoint,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;
