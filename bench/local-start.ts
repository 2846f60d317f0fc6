import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { untilReady } from './harness/until-ready.ts';

/*
 * How long a cold `npm start` takes until it can be used, and how long the first request of each operation then
 * takes; the very first one waits for the authorizer, too. Medians of three, on a machine that does nothing else:
 * npx --no-install node bench/local-start.ts
 */

const RUNS = 3;
const BALANCE = { MaterialCode: 'ABC-1', StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const operations: [string, string, object | undefined][] = [
  ['POST', 'changes', { Timestamp: '2026-03-01T08:15:30,123Z' }],
  ['GET', 'material-codes', undefined],
  ['GET', 'purchase-orders', undefined],
  ['POST', 'material-stock-balance', { MaterialCodes: [BALANCE] }],
];

const requestAll = async (data: string) => {
  const { BaseUrl, Clients } = JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const [pair] = Object.entries(Clients);
  const headers = {
    Authorization: `Basic ${Buffer.from(`${pair?.join(':')}`).toString('base64')}`,
    'Content-Type': 'application/json',
  };
  const times: number[] = [];
  for (const [method, path, body] of operations) {
    const started = performance.now();
    const answer = await fetch(`${BaseUrl}/rest/warehouse-control/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}.`);
    times.push(performance.now() - started);
  }
  return times;
};

const measure = async () => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-start-'));
  const started = performance.now();
  // A process group of its own takes the Ctrl-C as a terminal's would.
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', data, '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    await untilReady(child.stdout);
    const readyMs = performance.now() - started;
    return { readyMs, requests: await requestAll(data) };
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await once(child, 'exit');
    rmSync(data, { recursive: true });
  }
};

const median = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

const measured = [];
for (let run = 0; run < RUNS; run += 1) measured.push(await measure());
process.stdout.write(
  `ready after ${(median(measured.map(({ readyMs }) => readyMs)) / 1_000).toFixed(1)} s\n`,
);
for (const [index, [method, path]] of operations.entries()) {
  const first = median(measured.map(({ requests }) => requests[index] ?? Number.NaN));
  process.stdout.write(`first ${method} ${path}: ${first.toFixed(0)} ms\n`);
}
