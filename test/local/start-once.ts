import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Outputs } from '../../local/run.ts';
import { basic, send } from '../support/http-client.ts';

/* npx node test/local/start-once.ts  starts the service with the demo, sends a request, and stops it. It runs on every platform. */

const DATA = '.local/start-once';

/** Starts the demo in memory, so it changes no stored data. Returns a function that stops it. */
const startDemo = async () => {
  const options = ['--demo', '--memory', '--quiet', '--port', '0', '--data', DATA];
  const run = spawn(process.execPath, ['local/cli/main.ts', ...options], {
    // The run ends when the channel closes, so also when this process is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  assert(run.stdout);
  let isReady = false;
  for await (const line of createInterface(run.stdout)) {
    isReady = line.startsWith('Ready');
    if (isReady) break;
  }
  assert(isReady, 'The local run did not start.');
  return async () => {
    const exit = once(run, 'exit');
    run.disconnect();
    assert.deepEqual(await exit, [0, null]);
  };
};

const stopDemo = await startDemo();
try {
  const { BaseUrl, Clients }: Outputs = JSON.parse(readFileSync(join(DATA, 'outputs.json'), 'utf8'));
  const headers = { Authorization: basic('warehouse', Clients['warehouse'] ?? '') };
  const answer = await send(`${BaseUrl}/rest/warehouse-control/material-codes`, { headers });
  assert.equal(answer.status, 200);
  const { length } = answer.json().MaterialCodes;
  assert.notEqual(length, 0);
  process.stdout.write(`The service sent ${length} material codes.\n`);
} finally {
  await stopDemo();
}
