import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_DATA, startDemo } from '../../docs/pictures/start-demo.ts';
import type { Outputs } from '../../local/run.ts';
import { basic, send } from '../support/http-client.ts';

/* npm run test:start  starts the service with the demo, sends a request, and stops it. It runs on every platform. */

const stopDemo = await startDemo();
try {
  const { BaseUrl, Clients }: Outputs = JSON.parse(readFileSync(join(DEMO_DATA, 'outputs.json'), 'utf8'));
  const headers = { Authorization: basic('warehouse', Clients['warehouse'] ?? '') };
  const answer = await send(`${BaseUrl}/rest/warehouse-control/material-codes`, { headers });
  assert.equal(answer.status, 200);
  const { length } = answer.json().MaterialCodes;
  assert.notEqual(length, 0);
  process.stdout.write(`The service sent ${length} material codes.\n`);
} finally {
  await stopDemo();
}
