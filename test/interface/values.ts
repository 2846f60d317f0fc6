import { describe, expect, test } from 'vitest';
import { batchOf, largeBatch, storedBatch } from '../support/batches.ts';
import {
  balances,
  batchOfEntries,
  changeWith,
  entryCases,
  entryWith,
  numbersOutsideJson,
  refusedBodies,
  timestampCases,
} from '../support/body-cases.ts';
import { expectError, expectProblem } from '../support/problem.ts';
import { isDeployment, useService } from './service.ts';

const service = useService();

const postBatch = (body: object | string) => service().post('material-stock-balance', body);

describe('a Timestamp', () => {
  test.each(timestampCases)('of $json is stored exactly as sent, or refused: $refusal', async (value) => {
    const response = await service().post('changes', changeWith(value));
    if (value.refusal) return expectError(response, '#/Timestamp', value.refusal);
    const Timestamp = JSON.parse(value.json ?? '');
    await service().expectChange(response, { Client: service().userName, Timestamp });
  });
});

describe('an entry', () => {
  const codeOf = (index: number) => `"N-${index}"`;
  const valid = entryCases.filter(({ value }) => !value.refusal);
  const invalid = entryCases.filter(({ value }) => value.refusal);

  test('is stored as sent, with codes, units and orders of all kinds', async () => {
    const body = batchOfEntries(...valid.map(({ field, value }, at) => entryWith(field, value, codeOf(at))));
    const { MaterialCodes }: ReturnType<typeof batchOf> = JSON.parse(body);
    // -0 is stored as 0.
    const sent = MaterialCodes.map((entry) => ({ ...entry, StockBalance: entry.StockBalance || 0 }));
    await service().expectBatch(await postBatch(body), storedBatch({ MaterialCodes: sent }));
  });

  test('is stored with the shortest decimal that reads back as the same balance', async () => {
    const entries = balances.map(([json], at) => entryWith('StockBalance', { json }, codeOf(at)));
    const response = await postBatch(batchOfEntries(...entries));
    expect(response.status).toBe(200);
    if (isDeployment) return;
    const { tables, userName } = service();
    for (const [index, [sent, digits]] of balances.entries()) {
      const stored = await tables.balance(userName, response.json().SnapshotId, `N-${index}`);
      // Dynoxide returns all digits. Dynalite and DynamoDB Local return an exponent. Nobody has measured DynamoDB itself.
      const asExponent = sent.endsWith('e-130') ? sent : digits;
      expect([digits, asExponent], sent).toContain(stored);
    }
  });

  test('is refused with every error at once, its place and what to send', async () => {
    const entries = invalid.map(({ field, value }, at) => entryWith(field, value, codeOf(at)));
    const errors = invalid.map(({ field, value }, at) => {
      return { pointer: `#/MaterialCodes/${at}/${field}${value.place ?? ''}`, detail: value.refusal };
    });
    const response = await postBatch(batchOfEntries(...entries));
    expectProblem(response, 400, { errorCount: errors.length, errors });
    expect(response.json().detail).toBe(`The body has ${errors.length} errors, so nothing was stored.`);
  });
});

describe.each(['changes', 'material-stock-balance'] as const)('a body for %s', (path) => {
  test.each(refusedBodies[path])('is refused, and its error named: %s', async (body, pointer, detail) => {
    const response = await service().post(path, body);
    expectError(response, pointer, detail);
  });
});

test.each(numbersOutsideJson)('a StockBalance of %s is a JSON error, with line and column', async (json) => {
  const response = await postBatch(batchOfEntries(entryWith('StockBalance', { json })));
  expect(response.status).toBe(400);
  expect(response.json().detail).toMatch(/line 1, column \d+/);
});

describe('a batch', () => {
  const batchCount = async () => (isDeployment ? 0 : (await service().tables.batches()).size);

  test('is refused with one error in its last entry, and nothing is stored', async () => {
    const before = await batchCount();
    const batch = { MaterialCodes: [...batchOf(500).MaterialCodes, 7] };
    expectProblem(await postBatch(batch), 400, {
      errorCount: 1,
      errors: [expect.objectContaining({ pointer: '#/MaterialCodes/500' })],
    });
    expect(await batchCount()).toBe(before);
  });

  test('gets a 413 with 40,001 entries, and nothing is stored', async () => {
    const before = await batchCount();
    const response = await postBatch(batchOf(40_001));
    expectProblem(response, 413);
    expect(response.json().detail).toContain('at most 40,000 entries');
    expect(await batchCount()).toBe(before);
  });

  // A local engine needs seconds for 40,000 entries. test/soak sends them.
  test('is stored whole in several items', async () => {
    const batch = isDeployment ? batchOf(40_000) : largeBatch();
    await service().expectBatch(await postBatch(batch), storedBatch(batch));
  });
});
