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

// The demo in memory changes no stored data.
const options = ['--demo', '--memory', '--quiet', '--port', '0', '--data', DATA];
const run = spawn(process.execPath, ['local/cli/main.ts', ...options], {
  // The run ends when the channel closes, so also when this process is killed.
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const exit = once(run, 'exit');
assert(run.stdout);
const { value: line } = await createInterface(run.stdout)[Symbol.asyncIterator]().next();
assert.match(`${line}`, /^Ready/, 'The local run did not start.');

const { BaseUrl, Clients }: Outputs = JSON.parse(readFileSync(join(DATA, 'outputs.json'), 'utf8'));
const headers = { Authorization: basic('warehouse', Clients['warehouse'] ?? '') };
const response = await send(`${BaseUrl}/rest/warehouse-control/material-codes`, { headers });
assert.equal(response.status, 200);
const { length } = response.json().MaterialCodes;
assert.notEqual(length, 0);
run.disconnect();
assert.deepEqual(await exit, [0, null]);
process.stdout.write(`The service sent ${length} material codes.\n`);
