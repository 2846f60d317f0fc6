import type { GenericSchema } from 'valibot';
import { locateJsonError } from '../../shared/http/json.ts';
import { bodyRefusal, type ProblemStatus, problem } from '../../shared/http/problem.ts';
import type { OperationName } from '../../shared/operations.ts';
import { Change } from '../../shared/schemas/change.ts';
import type { ChangeResponse, SnapshotResponse } from '../../shared/schemas/responses.ts';
import { StockBalanceBatch } from '../../shared/schemas/stock-balance.ts';
import { validate } from '../../shared/schemas/validate.ts';
import { type ListName, tables } from '../../shared/tables.ts';

type Examples = Record<string, { summary: string; value: object }>;

const REQUEST_ID = 'JKJaXmPLvHcESHA=';

/** The body of an error response. The tests compare `detail` with the service's responses. */
export const problemExample = (status: ProblemStatus | undefined, summary: string, detail: string) => ({
  summary,
  value: problem(status, detail, REQUEST_ID),
});

const change: ChangeResponse = { Timestamp: '2026-03-01T08:15:30,250Z' };

export const changes = {
  change: { summary: 'A change', value: change },
} satisfies Examples;

const entry = (MaterialCode: string, StockBalance: number, PurchaseOrders: string[] | object) => ({
  MaterialCode,
  StockBalance,
  StockBalanceUnit: 'kg',
  PurchaseOrders,
});

export const batches = {
  ofSeveralMaterials: {
    summary: 'Several materials: Cyrillic codes, a negative balance, zero, and a repeated order',
    value: {
      MaterialCodes: [
        entry('Сталь-10/А', -12.125, ['OT1234567', 'OT7654321']),
        entry('ABC-1', 0, {}),
        entry('Лист,3', 1234.567, ['OT0000001', 'OT0000001']),
      ],
    },
  },
  withoutPurchaseOrders: {
    summary: 'No purchase orders: the empty object, never an empty array',
    value: { MaterialCodes: [entry('ABC-1', 7.5, {})] },
  },
} satisfies Examples;

const listExamples = (name: ListName, summary: string, rows: object[]) => ({
  description: 'The complete list.',
  examples: {
    [tables[name].list.command]: { summary, value: { [name]: rows } },
    none: { summary: 'An empty list', value: { [name]: [] } },
  },
});
const snapshot: SnapshotResponse = {
  SnapshotId: '2026-03-01T08:15:31.402Z-6c93fcb41090',
  ReceivedAt: '2026-03-01T08:15:31.402Z',
  EntryCount: 3,
};

/** Examples of request bodies, by schema. */
export const requestExamples = { Change: changes, StockBalanceBatch: batches };

export const responseExamples: Record<OperationName, { description: string; examples: Examples }> = {
  'post-change': { description: 'The change is stored.', examples: changes },
  'get-material-codes': listExamples('MaterialCodes', 'Two codes, one with further attributes', [
    { MaterialCode: 'ABC-1' },
    { MaterialCode: 'Сталь-10/А', Name: 'Лист 10 мм', Weight: 7.85 },
  ]),
  'get-purchase-orders': listExamples('PurchaseOrders', 'Two orders, one with a further attribute', [
    { PurchaseOrder: 'OT1234567' },
    { PurchaseOrder: 'OT7654321', Open: true },
  ]),
  'post-material-stock-balance': {
    description: 'The batch is stored.',
    examples: { snapshot: { summary: 'A snapshot of three entries', value: snapshot } },
  },
};

const NOT_JSON = '{"Timestamp": "2026-03-01';
const NOT_UTF_8 = '"\uFFFD"';

/** The request bodies whose responses are the examples of a 400. */
export const refusedBodies = {
  change: {
    oneError: { Timestamp: '2026-02-30T08:15:30,250Z' },
    notJson: NOT_JSON,
    notUtf8: NOT_UTF_8,
    empty: '',
  },
  batch: {
    severalErrors: {
      MaterialCodes: [
        { ...entry('ABC-1', 0, []), StockBalance: '7' },
        { MaterialCode: 'ABC 2', StockBalance: 1, PurchaseOrders: ['OT1'], Colour: 'red' },
        entry('ABC-1', 1, {}),
      ],
    },
    notJson: NOT_JSON,
    notUtf8: NOT_UTF_8,
    empty: '',
  },
};

const refusalExample = (schema: GenericSchema, body: object, summary: string) => {
  const { issues = { listed: [], count: 0, rule: '' } } = validate(schema, body);
  const { value } = problemExample(400, summary, bodyRefusal(issues).message);
  return { summary, value: { ...value, errorCount: issues.count, errors: issues.listed } };
};

const notJson = problemExample(
  400,
  'No JSON',
  `The body cannot be read as JSON: ${locateJsonError(NOT_JSON)}.`,
);
const notUtf8 = problemExample(
  400,
  'Bytes that are not UTF-8',
  'The body is not UTF-8 at line 1, column 2. Send JSON in UTF-8, without U+FFFD.',
);
const empty = problemExample(400, 'No body', 'The body is empty. Send a JSON object.');

export const refusalExamples = {
  change: {
    oneError: refusalExample(Change, refusedBodies.change.oneError, 'A date that does not exist'),
    notJson,
    notUtf8,
    empty,
  },
  batch: {
    severalErrors: refusalExample(StockBalanceBatch, refusedBodies.batch.severalErrors, 'Several errors'),
    notJson,
    notUtf8,
    empty,
  },
} satisfies Record<string, Examples>;
