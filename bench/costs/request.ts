import type { priceList } from '../../infra/monitoring/price-list.ts';
import { assumptions } from './assumptions.ts';
import { billedMs, gbSeconds } from './billed.ts';
import type { Measured, Operation, Served } from './measured.ts';

/** What one request is charged with, in units of the price list. */

export type Price = keyof typeof priceList.prices;
export const payers = ['Gateway', 'Authorizer', 'Function', 'Table', 'Logs', 'Traces'] as const;
export type Payer = (typeof payers)[number];
export type Charge = { payer: Payer; what: string; price: Price; amount: number };

/** The shares of requests for which a process has to start. */
type Cold = { authorizer: number; function: number };
export const WARM: Cold = { authorizer: 0, function: 0 };

export const GB = 1_073_741_824;
const DAY_HOURS = 24;

export const factsOf = ({ functions }: Measured, name: string) => {
  const facts = functions.find((each) => each.name === name);
  if (!facts) throw new Error(`Nothing was measured of the function ${name}.`);
  return facts;
};

export const operationOf = ({ operations }: Measured, name: string) => {
  const operation = operations.find((each) => each.name === name);
  if (!operation) throw new Error(`Nothing was measured of: ${name}.`);
  return operation;
};

const invoked = (payer: Payer, measured: Measured, served: Served, cold: number): Charge[] => {
  const facts = factsOf(measured, served.function);
  const amount = gbSeconds(billedMs(served, facts, cold), facts.memoryMb);
  return [
    { payer, what: 'invocation', price: 'lambdaRequest', amount: 1 },
    { payer, what: 'GB-seconds', price: 'lambdaGbSecond', amount },
  ];
};

const LINES_OF_THE_PLATFORM = 2;
const linesIn = (bytes: number) => (bytes > 0 ? 1 : 0);

/** Bytes of log lines, as CloudWatch counts them: the gateway's, the functions' own, and the platform's about them. */
export const logBytesOf = (measured: Measured, operation: Operation) => {
  const { readsSecret } = measured.authorizer;
  const line = assumptions.logEventBytes.value;
  const own = operation.logBytes + readsSecret.logBytes;
  const ownLines = linesIn(operation.logBytes) + linesIn(readsSecret.logBytes);
  const platform = [operation.function, readsSecret.function]
    .map((name) => factsOf(measured, name).platformLogBytes + LINES_OF_THE_PLATFORM * line)
    .reduce((sum, bytes) => sum + bytes, 0);
  return { gateway: operation.accessLogBytes + line, own: own + ownLines * line, platform };
};

/** All that a request is charged with until its log lines expire; what it leaves in tables is the month's. */
export const chargesOf = (measured: Measured, operation: Operation, cold: Cold): Charge[] => {
  const { readsSecret } = measured.authorizer;
  const logs = Object.values(logBytesOf(measured, operation)).reduce((sum, bytes) => sum + bytes, 0) / GB;
  const months = (measured.settings.logRetentionDays * DAY_HOURS) / assumptions.hoursPerMonth.value;
  const dataOut = (operation.answerBytes + assumptions.answerHeaderBytes.value) / GB;
  return [
    { payer: 'Gateway', what: 'request', price: 'apiRequest', amount: 1 },
    { payer: 'Gateway', what: 'bytes to the internet', price: 'dataOutGb', amount: dataOut },
    ...invoked('Authorizer', measured, readsSecret, cold.authorizer),
    { payer: 'Authorizer', what: 'reads of the secret', price: 'secretCall', amount: readsSecret.calls },
    ...invoked('Function', measured, operation, cold.function),
    { payer: 'Table', what: 'write units', price: 'writeUnit', amount: operation.writeUnits },
    { payer: 'Table', what: 'read units', price: 'readUnit', amount: operation.readUnits },
    { payer: 'Logs', what: 'bytes written', price: 'logsIngestedGb', amount: logs },
    {
      payer: 'Logs',
      what: 'bytes kept for a month',
      price: 'logsStoredGbMonth',
      amount: logs * assumptions.logsCompressed.value * months,
    },
    { payer: 'Traces', what: 'trace', price: 'trace', amount: assumptions.tracedShare.value },
  ];
};

export type Prices = Record<Price, number>;

export const costOf = (charges: readonly Charge[], prices: Prices) =>
  charges.reduce((sum, { price, amount }) => sum + amount * prices[price], 0);

export const costBy = (charges: readonly Charge[], prices: Prices, payer: Payer) =>
  costOf(
    charges.filter((charge) => charge.payer === payer),
    prices,
  );
