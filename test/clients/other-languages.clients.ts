import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Command, execute } from './execute.ts';
import { HOOK_TIME_OUT_MS, startService } from './service.ts';

/** A large batch is over 1 MB, where curl begins to send Expect. */
const entryCountOf = (batch: string) => (batch.includes('large') ? 12_000 : 200);

const LARGE = ['balances-large', 'balances-large-anyauth'];

const programs = {
  curl: {
    command: ['bash', 'curl.sh'],
    batches: ['balances', 'balances-anyauth', ...LARGE, 'balances-gzip'],
  },
  'PHP with streams': { command: ['php', 'php-streams.php'], batches: ['balances'] },
  'PHP with streams in HTTP/1.0': { command: ['php', 'php-streams.php', '1.0'], batches: ['balances'] },
  'Lua with LuaSocket': { command: ['lua5.1', 'lua-socket.lua'], batches: ['balances', 'balances-chunked'] },
} satisfies Record<string, { command: Command; batches: readonly string[] }>;

type HttpResponse = { operation: string; status: number; body: Record<string, unknown> };

const KINDS = ['Сталь-10/А,', 'ABC-', 'Кабель,ВВГ/'];

/** Every program builds its batches by this rule, in its own language. */
const codeOf = (index: number) => `${KINDS[index % 3]}${index}`;
const balanceOf = (index: number) => (((index % 7) - 3) * (1_000 * index + 67)) / 1_000;
const ordersOf = (index: number) => Array.from({ length: index % 5 }, (_, k) => orderOf(index + (k % 2)));
const orderOf = (number: number) => `OT${String(number).padStart(7, '0')}`;

/** The items of a batch as DynamoDB stores them. Numbers are text, so every digit counts. */
const storedBalances = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      codeOf(index),
      {
        M: {
          StockBalance: { N: String(balanceOf(index)) },
          StockBalanceUnit: { S: 'kg' },
          PurchaseOrders: { L: ordersOf(index).map((order) => ({ S: order })) },
        },
      },
    ]),
  );

const MaterialCodes = Array.from({ length: 150 }, (_, index) => ({
  MaterialCode: codeOf(index),
  ...(index % 2 === 0 ? {} : { Name: 'Лист "10 мм" \\ №7', Weight: 7.85 }),
})).sort((one, other) => (one.MaterialCode < other.MaterialCode ? -1 : 1));
const PurchaseOrders = [7, 1_234_567].map((number) => ({
  PurchaseOrder: orderOf(number),
  Supplier: 'ООО «Сталь»',
}));

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService({ MaterialCodes, PurchaseOrders });
});
afterAll(() => service.stop());

const folder = fileURLToPath(new URL('programs', import.meta.url));

const runProgram = async (command: Command) => {
  const { baseUrl, userName, password } = service.account;
  const { stdout, ...end } = await execute(command, folder, {
    BASE_URL: baseUrl,
    USERNAME: userName,
    PASSWORD: password,
  });
  const lines = stdout.split('\n').filter(Boolean);
  return { ...end, responses: lines.map((line): HttpResponse => JSON.parse(line)) };
};

/** The responses to all programs. */
const allResponses: HttpResponse[] = [];

describe.each(Object.entries(programs))('%s', (_, { command, batches }) => {
  let outcome: Awaited<ReturnType<typeof runProgram>>;
  beforeAll(async () => {
    outcome = await runProgram(command);
    allResponses.push(...outcome.responses);
  }, HOOK_TIME_OUT_MS);

  test('gets exactly 200', () => {
    const { exitCode, stderr, responses } = outcome;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(responses.map(({ operation, status, body }) => [operation, status, body['EntryCount']])).toEqual([
      ['change', 200, undefined],
      ['material-codes', 200, undefined],
      ['purchase-orders', 200, undefined],
      ...batches.map((operation) => [operation, 200, entryCountOf(operation)]),
    ]);
  });

  test('reads both lists with all columns', () => {
    const [, codes, orders] = outcome.responses.map(({ body }) => body);
    expect([codes, orders]).toEqual([{ MaterialCodes }, { PurchaseOrders }]);
  });
});

test('the tables have one change per program, every digit of each batch, and nothing else', async () => {
  const timestamps = allResponses.flatMap(({ body }) => body['Timestamp'] ?? []);
  expect((await service.changes()).toSorted()).toEqual(timestamps.toSorted());
  const batches = allResponses.filter(({ body }) => 'SnapshotId' in body);
  const snapshots = await service.snapshots();
  for (const { operation, body } of batches)
    expect(snapshots[String(body['SnapshotId'])]).toEqual(storedBalances(entryCountOf(operation)));
  expect(Object.keys(snapshots)).toHaveLength(batches.length);
});
