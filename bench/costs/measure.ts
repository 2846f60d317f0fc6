import { cpus } from 'node:os';
import { startEngine } from '../../local/services/engine.ts';
import type { OperationName } from '../../shared/operations.ts';
import { batchOf } from '../../test/support/batches.ts';
import { startSecretsManager } from '../../test/support/fault-proxy.ts';
import { type Bundler, createBundler, type FunctionName, functionNames } from '../measure/bundles.ts';
import { measureLoad } from '../measure/cold-start.ts';
import { itemBytes, readUnits, writeUnits } from '../measure/dynamodb-rules.ts';
import { authorizationHeaders, environmentOf, storeSecrets } from '../measure/environment.ts';
import { BATCH_OPERATION, eventOf, typicalRow } from '../measure/events.ts';
import { type FunctionProcess, type Served, serveOk, startProcess } from '../measure/function-process.ts';
import { tablesIn } from '../measure/tables.ts';
import type { Measured, MeasuredRequest } from './measured.ts';
import { batchName } from './request.ts';

/** Measures each kind of request once more with the bundles that are deployed. */

type Scenario = {
  operation: OperationName;
  body?: (serial: number) => string;
  rows?: number;
  warmUps: number;
  runs: number;
};

const FIRST_CHANGE = Date.parse('2026-11-02T06:00:00.000Z');
const QUARTER_MS = 900_000;
const changeBody = (serial: number) => {
  const Timestamp = new Date(FIRST_CHANGE + serial * QUARTER_MS).toISOString().replace('.', ',');
  return JSON.stringify({ Timestamp });
};

const batch = (entries: number, warmUps: number, runs: number): Scenario => {
  const body = JSON.stringify(batchOf(entries));
  return { operation: BATCH_OPERATION, body: () => body, warmUps, runs };
};

const scenarios: Record<string, Scenario> = {
  change: { operation: 'post-change', body: changeBody, warmUps: 10, runs: 40 },
  [batchName(1)]: batch(1, 10, 40),
  [batchName(200)]: batch(200, 10, 40),
  [batchName(4_000)]: batch(4_000, 5, 15),
  [batchName(40_000)]: batch(40_000, 2, 7),
  '1,000 material codes': { operation: 'get-material-codes', rows: 1_000, warmUps: 5, runs: 25 },
  '10,000 material codes': { operation: 'get-material-codes', rows: 10_000, warmUps: 5, runs: 25 },
  '1,000 purchase orders': { operation: 'get-purchase-orders', rows: 1_000, warmUps: 5, runs: 25 },
};

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const round = (number: number) => Number(number.toFixed(2));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const timesOf = (first: Served, served: readonly Served[]) => ({
  cpuMs: round(median(served.map(({ cpuMs }) => cpuMs))),
  firstCpuMs: round(first.cpuMs),
  logBytes: Buffer.byteLength(first.log.trimEnd()),
});

const serveMany = async (process: FunctionProcess, events: readonly object[]) => {
  const served: Served[] = [];
  for (const event of events) served.push(await serveOk(process, event));
  return served;
};

const measureRequest = async (
  bundler: Bundler,
  engine: string,
  { operation, body, rows = 0, warmUps, runs }: Scenario,
): Promise<MeasuredRequest> => {
  const tables = tablesIn(engine);
  const table = await tables.create(operation);
  await tables.fill(table, rows, (index) => typicalRow(operation, index));
  const { file } = bundler.deployed.ours(operation);
  const process = await startProcess({ file, environment: environmentOf({ tables: engine, table }) });
  const event = (serial: number) => eventOf({ operation, body: body?.(serial), serial });
  const first = await serveOk(process, event(0));
  const sizes = (await tables.readItems(table)).map(itemBytes);
  const events = Array.from({ length: warmUps + runs }, (_, index) => event(index + 1));
  const served = await serveMany(process, events);
  await process.stop();
  return {
    function: operation,
    ...timesOf(first, served.slice(warmUps)),
    requestBytes: Buffer.byteLength(body?.(0) ?? ''),
    answerBytes: Buffer.byteLength(first.answer.body),
    items: sizes.length,
    itemBytes: sum(sizes),
    writeUnits: body ? sum(sizes.map(writeUnits)) : 0,
    readUnits: body ? 0 : readUnits(sum(sizes)),
  };
};

const STRANGERS = 400;

/** Each event is of another client, so that no secret has been read before. */
const measureAuthorizer = async ({ deployed }: Bundler): Promise<Measured['authorizer']> => {
  const secrets = await startSecretsManager();
  storeSecrets(secrets);
  const { file } = deployed.ours('authorizer');
  const process = await startProcess({ file, environment: environmentOf({ secrets: secrets.endpoint }) });
  const served: Served[] = [];
  for (const authorization of authorizationHeaders)
    served.push(await process.serve(eventOf({ operation: 'post-change', authorization })));
  const secretReads = secrets.calls.length / served.length;
  const refused: Served[] = [];
  for (let serial = 0; serial < STRANGERS; serial += 1) {
    const authorization = `Basic ${Buffer.from(`stranger-${serial}:${serial}`).toString('base64')}`;
    refused.push(await process.serve(eventOf({ operation: 'post-change', authorization })));
  }
  await process.stop();
  await secrets.stop();
  const [first, firstRefused] = [served[0], refused[0]];
  if (!first || !firstRefused) throw new Error('The authorizer has served nothing.');
  return {
    ...timesOf(first, served.slice(10)),
    secretReads,
    stranger: timesOf(firstRefused, refused.slice(STRANGERS / 2)),
  };
};

const STARTS = 7;

const medianLoad = async ({ deployed }: Bundler, name: FunctionName) => {
  const { file } = deployed.ours(name);
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) times.push(await measureLoad(file));
  return round(median(times));
};

export const measure = async (now: Date): Promise<Measured> => {
  const engine = await startEngine(undefined);
  const bundler = createBundler();
  try {
    const loadMs: Measured['loadMs'] = {};
    for (const name of functionNames) loadMs[name] = await medianLoad(bundler, name);
    const requests: Measured['requests'] = {};
    for (const [name, scenario] of Object.entries(scenarios))
      requests[name] = await measureRequest(bundler, engine.endpoint, scenario);
    const processors = cpus();
    return {
      date: now.toISOString().slice(0, 10),
      machine: `${processors.length} cores (${processors[0]?.model}), Node ${process.versions.node}`,
      loadMs,
      authorizer: await measureAuthorizer(bundler),
      requests,
    };
  } finally {
    await engine.stop();
    bundler.remove();
  }
};
