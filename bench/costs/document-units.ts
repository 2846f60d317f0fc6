import { batchOf } from '../../test/support/batches.ts';
import { count, dollars, numbersTable, significant } from '../harness/markdown.ts';
import { assumptions } from './assumptions.ts';
import { coldMs, warmMs } from './billed.ts';
import type { Measured, Operation, Served } from './measured.ts';
import {
  chargesOf,
  costBy,
  costOf,
  factsOf,
  logBytesOf,
  operationOf,
  type Prices,
  payers,
  WARM,
} from './request.ts';
import { batchName } from './scenarios.ts';

const MILLION = 1_000_000;

export const millionTable = (measured: Measured, prices: Prices) =>
  numbersTable(
    ['A million of', ...payers, 'All'],
    measured.operations.filter(isUsual).map((operation) => {
      const charges = chargesOf(measured, operation, WARM);
      return [
        operation.name,
        ...payers.map((payer) => dollars(costBy(charges, prices, payer) * MILLION)),
        dollars(costOf(charges, prices) * MILLION),
      ];
    }),
  );

/** These cost what their neighbours cost. */
const isUsual = ({ items, engineUnits }: Operation) => items > 0 && engineUnits > 0;

/** What is less than this is told together. */
const WORTH_NAMING = 0.05;

/** What makes up the sum of a batch, the most of it first. */
export const batchInWords = (measured: Measured, prices: Prices) => {
  const batch = operationOf(measured, batchName(assumptions.batchEntries.value));
  const charges = chargesOf(measured, batch, WARM);
  const all = costOf(charges, prices);
  const costs = charges
    .map((charge) => ({ ...charge, cost: costOf([charge], prices) }))
    .toSorted((one, other) => other.cost - one.cost);
  const named = costs.filter(({ cost }) => cost / all >= WORTH_NAMING);
  const rest = all - named.reduce((sum, { cost }) => sum + cost, 0);
  const parts = named.map(
    ({ payer, what, amount, cost }) =>
      `${payer.toLowerCase()} ${dollars(cost * MILLION)} (${significant(amount)} ${what})`,
  );
  return `${dollars(all * MILLION)} for a ${batch.name} are:\n${parts.join(', ')}, all else ${dollars(rest * MILLION)}.`;
};

/** An entry of the batches, and how large and how laden with orders they are. */
export const batchLooks = (measured: Measured) => {
  const entries = assumptions.batchEntries.value;
  const { MaterialCodes } = batchOf(entries);
  const orders = MaterialCodes.reduce(
    (sum, { PurchaseOrders }) => sum + Object.keys(PurchaseOrders).length,
    0,
  );
  return {
    example: JSON.stringify(MaterialCodes[entries / 2]),
    orders: significant(orders / entries),
    bytes: count(operationOf(measured, batchName(entries)).requestBytes / entries),
  };
};

const unitsOf = ({ writeUnits, readUnits, engineUnits }: Operation) => {
  const [units, kind] = writeUnits > 0 ? [writeUnits, 'write'] : [readUnits, 'read'];
  return `${count(units)} ${kind}${units === engineUnits ? '' : ` (${count(engineUnits)})`}`;
};

const timesOf = (measured: Measured, served: Served) => {
  const facts = factsOf(measured, served.function);
  return [
    count(facts.memoryMb),
    significant(served.cpuMs),
    count(warmMs(served, facts)),
    count(coldMs(served, facts)),
  ];
};

const NOTHING = '–';

export const unitsTable = (measured: Measured) => {
  const { readsSecret, hasCopy } = measured.authorizer;
  return numbersTable(
    [
      'Request',
      'Function, MB',
      'Processor, ms',
      'Billed, ms',
      'with start, ms',
      'Sent, bytes',
      'Answer, bytes',
      'In table, bytes',
      'Units (engine)',
      'Logs, bytes',
    ],
    [
      ...measured.operations.map((operation) => [
        operation.name,
        ...timesOf(measured, operation),
        count(operation.requestBytes),
        count(operation.answerBytes),
        count(operation.itemBytes),
        unitsOf(operation),
        count(Object.values(logBytesOf(measured, operation)).reduce((sum, bytes) => sum + bytes, 0)),
      ]),
      ...[readsSecret, hasCopy].map((served) => [
        `authorizer, ${served.name}`,
        ...timesOf(measured, served),
        NOTHING,
        NOTHING,
        NOTHING,
        served.calls > 0 ? `${count(served.calls)} calls` : NOTHING,
        NOTHING,
      ]),
    ],
  );
};
