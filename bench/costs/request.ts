import { priceList } from '../../infra/monitoring/price-list.ts';
import { BATCH_OPERATION } from '../measure/events.ts';
import { assumptions } from './assumptions.ts';
import type { Deployment } from './deployment.ts';
import type { Measured, MeasuredRequest } from './measured.ts';

/** The units and dollars of one request. */

export type Model = { measured: Measured; deployment: Deployment };

export type Price = keyof typeof priceList.prices;
export const payers = ['Gateway', 'Authorizer', 'Function', 'Table', 'Logs', 'Traces'] as const;
export type Payer = (typeof payers)[number];
export type Charge = { payer: Payer; what: string; price: Price; amount: number };

export const MB = 1_048_576;
export const GB = 1_024 * MB;

export const batchName = (entries: number) => `batch of ${entries.toLocaleString('en')}`;

export const findRequest = ({ measured }: Pick<Model, 'measured'>, name: string) => {
  const request = measured.requests[name];
  if (!request) throw new Error(`The request "${name}" was not measured.`);
  return request;
};

/** Lambda gives a function of this size one processor. A request cannot use more. */
const ONE_PROCESSOR_MB = 1_769;

export const cpuMsOnLambda = ({ deployment }: Model, cpuMs: number) =>
  cpuMs * assumptions.slowerProcessor * Math.max(1, ONE_PROCESSOR_MB / deployment.memoryMb);

/** The first part of a batch is written last, the others four at a time. */
const PARTS_AT_A_TIME = 4;

const tableWaitMs = ({ items, itemBytes, writeUnits }: MeasuredRequest) => {
  const isWrite = writeUnits > 0;
  const calls = isWrite ? items : Math.max(1, Math.ceil(itemBytes / MB));
  const callsInTurn = isWrite ? 1 + Math.ceil((calls - 1) / PARTS_AT_A_TIME) : calls;
  const mbInTurn = (itemBytes / MB) * (callsInTurn / calls);
  return callsInTurn * assumptions.tableCallMs + mbInTurn * assumptions.tableMsPerMb;
};

const secretWaitMs = ({ measured }: Model) => measured.authorizer.secretReads * assumptions.secretCallMs;

type Timed = { cpuMs: number; firstCpuMs: number };
export type BilledMs = { warm: number; cold: number };

/** The time that Lambda bills, in a warm process and in a new process. */
const billedMsOf = (
  model: Model,
  { cpuMs, firstCpuMs }: Timed,
  loadMs: number,
  waitMs: number,
): BilledMs => ({
  warm: Math.ceil(cpuMsOnLambda(model, cpuMs) + waitMs),
  cold: Math.ceil(
    assumptions.initMs + assumptions.connectMs + cpuMsOnLambda(model, loadMs + firstCpuMs) + waitMs,
  ),
});

const loadMsOf = ({ measured }: Model, name: string) => {
  const loadMs = measured.loadMs[name];
  if (loadMs === undefined) throw new Error(`The loading time of ${name} was not measured.`);
  return loadMs;
};

export const requestMs = (model: Model, name: string) => {
  const request = findRequest(model, name);
  return billedMsOf(model, request, loadMsOf(model, request.function), tableWaitMs(request));
};

export const authorizerMs = (model: Model) =>
  billedMsOf(model, model.measured.authorizer, loadMsOf(model, 'authorizer'), secretWaitMs(model));

/** The shares of the requests for which a process has to start. */
type ColdShares = { authorizer: number; function: number };

/** Assumes that requests come at random times. A process ends after some idle minutes. */
export const coldShare = (requestsPerHour: number) =>
  Math.exp((-requestsPerHour * assumptions.idleMinutes) / 60);

export const invocation = (model: Model, payer: Payer, { warm, cold }: BilledMs, share: number): Charge[] => {
  const seconds = (warm * (1 - share) + cold * share) / 1_000;
  return [
    { payer, what: 'invocation', price: 'lambdaRequest', amount: 1 },
    {
      payer,
      what: 'GB-seconds',
      price: 'lambdaGbSecond',
      amount: seconds * (model.deployment.memoryMb / 1_024),
    },
  ];
};

/** The lines of the gateway, of both functions, and of Lambda. */
export const logBytesOf = ({ measured }: Model, request: MeasuredRequest) => {
  const { accessLogBytes, platformLogBytes, logEventBytes } = assumptions;
  const ownLines = [request.logBytes, measured.authorizer.logBytes].filter((bytes) => bytes > 0);
  const linesOfLambda = 4;
  const lines = 1 + ownLines.length + linesOfLambda;
  const own = ownLines.reduce((sum, bytes) => sum + bytes, 0);
  return accessLogBytes + own + 2 * platformLogBytes + lines * logEventBytes;
};

/** Includes storage until the lines expire. */
export const logCharges = ({ deployment }: Model, bytes: number): Charge[] => {
  const months = (deployment.logRetentionDays * 24) / assumptions.hoursPerMonth;
  const stored = (bytes / GB) * assumptions.logCompression * months;
  return [
    { payer: 'Logs', what: 'GB written', price: 'logsIngestedGb', amount: bytes / GB },
    { payer: 'Logs', what: 'GB kept for a month', price: 'logsStoredGbMonth', amount: stored },
  ];
};

/** All charges of a request until its log lines expire, except for stored data. */
export const chargesOf = (model: Model, name: string, cold: ColdShares): Charge[] => {
  const request = findRequest(model, name);
  const { writeUnits, readUnits } = request;
  const sentGb = (request.answerBytes + assumptions.responseHeaderBytes) / GB;
  const { secretReads } = model.measured.authorizer;
  const isSnapshot = request.function === BATCH_OPERATION;
  const writeUnit =
    isSnapshot && model.deployment.areSnapshotsInfrequent ? 'infrequentWriteUnit' : 'writeUnit';
  return [
    { payer: 'Gateway', what: 'request', price: 'apiRequest', amount: 1 },
    { payer: 'Gateway', what: 'GB to the internet', price: 'dataOutGb', amount: sentGb },
    ...invocation(model, 'Authorizer', authorizerMs(model), cold.authorizer),
    { payer: 'Authorizer', what: 'reads of the secret', price: 'secretCall', amount: secretReads },
    ...invocation(model, 'Function', requestMs(model, name), cold.function),
    { payer: 'Table', what: 'write units', price: writeUnit, amount: writeUnits },
    { payer: 'Table', what: 'read units', price: 'readUnit', amount: readUnits },
    ...logCharges(model, logBytesOf(model, request)),
    { payer: 'Traces', what: 'trace', price: 'trace', amount: assumptions.tracedShare },
  ];
};

export const costOf = (charges: readonly Charge[]) =>
  charges.reduce((sum, { price, amount }) => sum + amount * priceList.prices[price], 0);

export const costFor = (charges: readonly Charge[], payer: Payer) =>
  costOf(charges.filter((charge) => charge.payer === payer));
