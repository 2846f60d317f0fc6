import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryCountOf, type Outcome, programs, runProgram } from './programs.ts';
import { HOOK_TIME_OUT_MS, startService } from './service.ts';
import { describeWireFormat } from './wire-format.ts';

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

/** Has a colon and characters beyond Latin-1. In Base64, it is longer than the 76 characters of a MIME line. */
const PASSWORD = 'Пароль склада №7: "ключ" + ё/й & 100% \\ $HOME — до конца';

let service: Awaited<ReturnType<typeof startService>>;
let changes: string[];
let snapshots: Awaited<ReturnType<typeof service.snapshots>>;
const outcomes = new Map<string, Outcome>();

beforeAll(async () => {
  service = await startService({ MaterialCodes, PurchaseOrders }, PASSWORD);
  for (const [name, program] of Object.entries(programs)) {
    outcomes.set(name, await runProgram(program, service.account));
  }
  changes = await service.changes();
  snapshots = await service.snapshots();
}, HOOK_TIME_OUT_MS);
afterAll(() => service.stop());

const outcomeOf = (name: string) => {
  const outcome = outcomes.get(name);
  if (!outcome) throw new Error(`${name} did not run.`);
  return outcome;
};

const bodyOf = (name: string, operation: string) =>
  outcomeOf(name).answers.find((answer) => answer.operation === operation)?.body;

describe.each(Object.entries(programs))('%s', (name, { batches }) => {
  test('gets exactly 200', () => {
    const { exitCode, stderr, answers } = outcomeOf(name);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(answers.map(({ operation, status }) => [operation, status])).toEqual([
      ['change', 200],
      ['material-codes', 200],
      ['purchase-orders', 200],
      ...batches.map((operation) => [operation, 200]),
    ]);
  });

  test('reads both lists with all columns', () => {
    expect(bodyOf(name, 'material-codes')).toEqual({ MaterialCodes });
    expect(bodyOf(name, 'purchase-orders')).toEqual({ PurchaseOrders });
  });

  test('stores its change unchanged', () => {
    const { Timestamp, ...rest } = bodyOf(name, 'change') ?? {};
    expect(rest).toEqual({});
    expect(changes).toContain(Timestamp);
    const sent = outcomeOf(name).recording.exchanges.find(({ request }) =>
      request.head.includes('/changes '),
    );
    expect(JSON.parse(sent?.request.body.toString().replace(/^\uFEFF/, '') ?? '')).toEqual({ Timestamp });
  });

  test.each([...batches])('stores every digit of its %s', (operation) => {
    const { SnapshotId, EntryCount } = bodyOf(name, operation) ?? {};
    expect(EntryCount).toBe(entryCountOf(operation));
    expect(snapshots[String(SnapshotId)]).toEqual(storedBalances(entryCountOf(operation)));
  });
});

test('the tables have one change per program, the batches with a 200, and nothing else', () => {
  const answered = [...outcomes.values()].flatMap(({ answers }) => answers.map(({ body }) => body));
  expect(changes.toSorted()).toEqual(definedOf(answered, 'Timestamp'));
  expect(Object.keys(snapshots).toSorted()).toEqual(definedOf(answered, 'SnapshotId'));
});

const definedOf = (bodies: Record<string, unknown>[], field: string) =>
  bodies.flatMap((body) => body[field] ?? []).toSorted();

describeWireFormat(outcomeOf);
