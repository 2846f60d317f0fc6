import { count, numbersTable } from '../markdown.ts';
import { concurrencies } from './all-at-once.ts';
import type { Model } from './request.ts';

/** The values for the setting `reservedConcurrency`. */

const WAREHOUSES = [1, 5, 10, 20, 30];
/** A function that has used up its reservation refuses requests, and Secrets Manager and tables are slow at times. */
const HEADROOM = 2;

const columns = [
  { setting: 'authorizer', seconds: 60, entries: 200 },
  { setting: 'balances', seconds: 60, entries: 200 },
  { setting: 'authorizer', seconds: 1, entries: 200 },
  { setting: 'balances', seconds: 1, entries: 200 },
  { setting: 'balances', seconds: 1, entries: 40_000 },
];
type Column = (typeof columns)[number];

const titleOf = ({ setting, seconds, entries }: Column) =>
  `\`${setting}\`, in a ${seconds === 1 ? 'second' : 'minute'}${entries === 200 ? '' : `, ${count(entries)} entries`}`;

const valueFor = (model: Model, warehouses: number, { setting, ...rush }: Column) => {
  const [authorizer = 0, balances = 0] = concurrencies(model, { warehouses, ...rush }, warehouses);
  return HEADROOM * (setting === 'authorizer' ? authorizer : balances);
};

export const concurrencyTable = (model: Model) =>
  numbersTable(
    ['Warehouses', ...columns.map(titleOf)],
    WAREHOUSES.map((warehouses) => [
      count(warehouses),
      ...columns.map((column) => count(valueFor(model, warehouses, column))),
    ]),
  );
