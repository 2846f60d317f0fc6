import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ENTRIES } from '../../../shared/limits.ts';
import { Change } from '../../../shared/schemas/change.ts';
import { StockBalanceBatch } from '../../../shared/schemas/stock-balance.ts';
import { validate } from '../../../shared/schemas/validate.ts';
import { judgeBatch, judgeChange } from '../../interface/hostile/reference.ts';
import { batchOf } from '../../support/batches.ts';
import {
  batchOfEntries,
  changeWith,
  entryCases,
  entryWith,
  numbersOutsideJson,
  RULE,
  refusedBodies,
  timestampCases,
  valueCases,
} from '../../support/body-cases.ts';

const operations = {
  changes: { schema: Change, judge: judgeChange },
  'material-stock-balance': { schema: StockBalanceBatch, judge: judgeBatch },
};

/** What the schema says of a body, and whether the reference of the hostile requests refuses it, too. */
const check = (path: keyof typeof operations, body: string) => {
  const { schema, judge } = operations[path];
  const verdict = judge(Buffer.from(body));
  const result = validate(schema, JSON.parse(body));
  expect(verdict.status, `test/interface/hostile/reference.ts on ${body}`).toBe(result.issues ? 400 : 200);
  return { result, kept: 'keeps' in verdict ? verdict.keeps : undefined };
};
const oneIssue = (pointer: string, detail: string) => ({
  issues: { count: 1, listed: [{ pointer, detail }], rule: expect.stringMatching(RULE) },
});

it.each(Object.keys(valueCases))('the schema and the reference accept or refuse each %s', (name) => {
  for (const { field, value, body } of entryCases) {
    if (field !== name) continue;
    const sent = JSON.parse(body);
    const { result, kept } = check('material-stock-balance', body);
    if (value.refusal) {
      const pointer = `#/MaterialCodes/0/${field}${value.place ?? ''}`;
      expect(result, body).toEqual(oneIssue(pointer, value.refusal));
      continue;
    }
    const [entry] = sent.MaterialCodes;
    const read = { ...entry, ...(Array.isArray(entry.PurchaseOrders) ? {} : { PurchaseOrders: [] }) };
    expect(result, body).toEqual({ output: { MaterialCodes: [read] } });
    // -0 is stored as 0.
    expect(kept).toEqual({ batch: [{ ...read, StockBalance: read.StockBalance || 0 }] });
  }
});

it('the schema and the reference accept or refuse each Timestamp', () => {
  for (const value of timestampCases) {
    const { result, kept } = check('changes', changeWith(value));
    const sent = JSON.parse(changeWith(value));
    const expected = value.refusal ? oneIssue('#/Timestamp', value.refusal) : { output: sent };
    expect(result, value.json).toEqual(expected);
    expect(kept).toEqual(value.refusal ? undefined : { timestamp: sent.Timestamp });
  }
});

it.each(['changes', 'material-stock-balance'] as const)(
  'the schema and the reference refuse the wrong bodies of %s',
  (path) => {
    for (const [body, pointer, detail] of refusedBodies[path])
      expect(check(path, body).result, body).toEqual(oneIssue(pointer, detail));
  },
);

it.each(numbersOutsideJson)('the reference refuses the number %s, which is not valid JSON', (digits) => {
  expect(judgeBatch(Buffer.from(batchOfEntries(entryWith('StockBalance', { json: digits }))))).toEqual({
    status: 400,
  });
});

describe('a batch', () => {
  const valid = { MaterialCode: 'A-1/2,b', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
  const batch = (...changes: object[]) => ({
    MaterialCodes: changes.map((change, index) => ({ ...valid, MaterialCode: `A-${index}`, ...change })),
  });
  const validateBatch = (body: unknown) => validate(StockBalanceBatch, body);

  it('is refused for every repeated code, with the first entry that has it', () => {
    const detail = 'This MaterialCode is already in entry 0 (counted from 0). Send one entry per material.';
    const body = batch({ MaterialCode: 'Б' }, {}, { MaterialCode: 'Б' }, { MaterialCode: 'Б' });
    const listed = [2, 3].map((index) => ({ pointer: `#/MaterialCodes/${index}/MaterialCode`, detail }));
    expect(validateBatch(body)).toEqual({ issues: { count: 2, listed, rule: 'MaterialCode: raw_check' } });
  });

  it('is refused for a repeated code among entries without a code', () => {
    const codes = [7, 7, 'A', 'A'].map((MaterialCode) => ({ MaterialCode }));
    expect(validateBatch(batch(...codes)).issues?.listed.map(({ pointer }) => pointer)).toEqual(
      [0, 1, 3].map((index) => `#/MaterialCodes/${index}/MaterialCode`),
    );
  });

  it('is accepted with the most entries', () => {
    expect(validateBatch(batchOf(MAX_BATCH_ENTRIES)).issues).toBeUndefined();
  });

  it.each([
    ['valid', {}],
    ['invalid', { StockBalance: '1' }],
  ])('is refused for its 40,001 %s entries alone, with 413', (_, change) => {
    const entries = Array(40_001).fill({ ...valid, ...change });
    const message = 'A batch can have at most 40,000 entries. Send fewer entries in one request.';
    expect(() => validateBatch({ MaterialCodes: entries, ...change })).toThrow(
      expect.objectContaining({ status: 413, message, issues: undefined }),
    );
  });
});
