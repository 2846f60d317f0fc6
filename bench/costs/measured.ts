import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

/** What `npm run costs -- --measure` has measured. */

const Timed = { cpuMs: v.number(), firstCpuMs: v.number(), logBytes: v.number() };

const MeasuredRequest = v.strictObject({
  function: v.string(),
  ...Timed,
  requestBytes: v.number(),
  answerBytes: v.number(),
  /** The items that the request writes or reads. */
  items: v.number(),
  itemBytes: v.number(),
  writeUnits: v.number(),
  readUnits: v.number(),
});
export type MeasuredRequest = v.InferOutput<typeof MeasuredRequest>;

const Measured = v.strictObject({
  date: v.string(),
  machine: v.string(),
  loadMs: v.record(v.string(), v.number()),
  authorizer: v.strictObject({
    ...Timed,
    /** For a correct password that the process does not know yet. */
    secretReads: v.number(),
    /** A random user in a process that has read every secret. */
    stranger: v.strictObject(Timed),
  }),
  requests: v.record(v.string(), MeasuredRequest),
});
export type Measured = v.InferOutput<typeof Measured>;

const FILE = new URL('measured.json', import.meta.url);

export const readMeasured = (): Measured => v.parse(Measured, JSON.parse(readFileSync(FILE, 'utf8')));

export const writeMeasured = (measured: Measured) =>
  writeFileSync(FILE, `${JSON.stringify(measured, null, 2)}\n`);
