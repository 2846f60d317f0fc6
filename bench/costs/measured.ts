import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** What was measured, as docs/costs.measured.json keeps it. */

const Served = v.strictObject({
  name: v.string(),
  function: v.string(),
  /** Of a process that has served some already: the median. */
  cpuMs: v.number(),
  /** Of the first request that a process serves. */
  firstCpuMs: v.number(),
  /** Calls to tables or to Secrets Manager, and how many of them one after the other. */
  calls: v.number(),
  callsInTurn: v.number(),
  logBytes: v.number(),
});

const Operation = v.strictObject({
  ...Served.entries,
  requestBytes: v.number(),
  answerBytes: v.number(),
  accessLogBytes: v.number(),
  items: v.number(),
  itemBytes: v.number(),
  largestItemBytes: v.number(),
  /** By DynamoDB's rules, and as the engine counts. */
  writeUnits: v.number(),
  readUnits: v.number(),
  engineUnits: v.number(),
});

const Standing = v.strictObject({
  alarms: v.number(),
  dashboards: v.number(),
  clientFilters: v.number(),
  statusFilters: v.number(),
  secrets: v.number(),
});

export const Measured = v.strictObject({
  date: v.string(),
  machine: v.strictObject({ processor: v.string(), cores: v.number(), node: v.string() }),
  settings: v.strictObject({
    ratePerSecond: v.number(),
    burst: v.number(),
    logRetentionDays: v.number(),
    authorizerCacheSeconds: v.number(),
  }),
  functions: v.array(
    v.strictObject({
      name: v.string(),
      memoryMb: v.number(),
      loadMs: v.number(),
      platformLogBytes: v.number(),
    }),
  ),
  authorizer: v.strictObject({ readsSecret: Served, hasCopy: Served }),
  operations: v.array(Operation),
  /** Metrics that the functions' lines are, told apart as CloudWatch does; those of refusals cost where there are any. */
  metrics: v.strictObject({
    perClient: v.number(),
    perDeployment: v.number(),
    ofRefusalsPerClient: v.number(),
    ofRefusalsPerDeployment: v.number(),
  }),
  /** By the templates of a deployment with one client and of one with thirty. */
  standing: v.strictObject({ one: Standing, full: Standing }),
});

export type Measured = v.InferOutput<typeof Measured>;
export type Operation = v.InferOutput<typeof Operation>;
export type Served = v.InferOutput<typeof Served>;
export type Standing = v.InferOutput<typeof Standing>;

export const MEASURED_FILE = new URL('../../docs/costs.measured.json', import.meta.url);

export const readMeasured = (): Measured =>
  v.parse(Measured, JSON.parse(readFileSync(MEASURED_FILE, 'utf8')));
