import { assumptions } from './assumptions.ts';
import { coldMs, warmMs } from './billed.ts';
import { count, dollars, numbersTable, significant } from './markdown.ts';
import type { Measured, Operation, Served } from './measured.ts';
import {
  type Charge,
  chargesOf,
  costBy,
  costOf,
  factsOf,
  GB,
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

const amountOf = ({ amount, price }: Charge) =>
  /Gb(Month)?$/.test(price) ? count(amount * GB) : significant(amount);

export const batchTable = (measured: Measured, prices: Prices) => {
  const batch = operationOf(measured, batchName(assumptions.batchEntries.value));
  const charges = chargesOf(measured, batch, WARM).filter(({ amount }) => amount > 0);
  const all = costOf(charges, prices);
  return numbersTable(
    ['One is charged with', 'Amount', 'Dollars a million', 'Share'],
    charges.map((charge) => {
      const cost = costOf([charge], prices);
      return [
        `${charge.payer}: ${charge.what}`,
        amountOf(charge),
        dollars(cost * MILLION),
        `${count((cost / all) * 100, 1)} %`,
      ];
    }),
  );
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
