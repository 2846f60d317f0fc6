import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../local/services/engine.ts';
import { writeOutputs } from '../test/support/table-reader.ts';

/*
 * How long the admin's command takes for a list that is about full, and how much memory; and that an import which
 * Ctrl-C ends in the middle is completed by the same command. On a machine that does nothing else:
 * npx --no-install node bench/import.ts
 */

const ROWS = 100_000;
const MAIN = fileURLToPath(new URL('../admin/main.ts', import.meta.url));
const tables = { codes: 'MaterialCode', orders: 'PurchaseOrder' };

const data = mkdtempSync(join(tmpdir(), 'warehouse-control-import-'));
const engine = await startEngine(undefined);
const client = new DynamoDBClient({
  endpoint: engine.endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
});

const prepare = async () => {
  for (const key of Object.values(tables)) {
    await client.send(
      new CreateTableCommand({
        TableName: `${key}s`,
        KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  }
  writeOutputs(data, engine.endpoint, {
    MaterialCodes: 'MaterialCodes',
    PurchaseOrders: 'PurchaseOrders',
  });
};

/** The most memory that a process has taken so far. */
const peakOf = (pid: number) => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

const order = (index: number) => `OT${1_000_000 + index}`;

/** Rows are written in about the order of the file. */
const untilOrderStands = async (index: number) => {
  const Key = { PurchaseOrder: { S: order(index) } };
  for (;;) {
    const { Item } = await client.send(new GetItemCommand({ TableName: 'PurchaseOrders', Key }));
    if (Item) return;
    await sleep(100);
  }
};

type Run = { what: string; args: string[]; interruptAfter?: Promise<void> };

const measure = async ({ what, args, interruptAfter }: Run) => {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args, '--local', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let bytes = 0;
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdout.on('data', (chunk) => {
    bytes += chunk.length;
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0));
  }, 20);
  const closed = once(child, 'close');
  interruptAfter?.then(() => child.kill('SIGINT'));
  const [code] = await closed;
  clearInterval(watch);
  const ms = performance.now() - started;
  process.stdout.write(
    `${what}: ${(ms / 1_000).toFixed(1)} s, at most ${Math.round(peakMb)} MB, exit code ${code}, ${bytes} bytes of data\n${said}\n`,
  );
  return ms;
};

const listFile = (group: keyof typeof tables, row: (index: number) => string) => {
  const file = join(data, `${group}.csv`);
  const rows = Array.from({ length: ROWS }, (_, index) => `${row(index)}\n`);
  writeFileSync(file, `${tables[group]}\n${rows.join('')}`);
  return file;
};

try {
  await prepare();
  const codes = listFile('codes', (index) => `ABC-${index}`);
  const orders = listFile('orders', order);
  const importing = (group: keyof typeof tables, file: string) => [group, 'import', file, '--json'];
  await measure({ what: 'import', args: importing('codes', codes) });
  await measure({ what: 'import of the same', args: importing('codes', codes) });
  await measure({ what: 'export', args: ['codes', 'export'] });
  await measure({ what: 'list', args: ['codes', 'list'] });
  await measure({
    what: 'import that is interrupted',
    args: importing('orders', orders),
    interruptAfter: untilOrderStands(ROWS / 2),
  });
  await measure({ what: 'its completion', args: importing('orders', orders) });
} finally {
  await engine.stop();
  rmSync(data, { recursive: true, force: true });
}
