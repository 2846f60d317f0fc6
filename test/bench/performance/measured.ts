import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import * as v from 'valibot';
import { sections } from './sections.ts';

/** What was measured in one run, as docs/performance.measured.json keeps it. */
const Measured = v.strictObject({
  date: v.string(),
  machine: v.strictObject({ processor: v.string(), cores: v.number(), node: v.string() }),
  sections: v.strictObject(Object.fromEntries(sections.map(({ name, schema }) => [name, schema]))),
});

export type Measured = v.InferOutput<typeof Measured>;

const FILE = new URL('../../../docs/performance.measured.json', import.meta.url);

export const readMeasured = () => v.parse(Measured, JSON.parse(readFileSync(FILE, 'utf8')));

export const keep = (measured: Measured) =>
  writeFileSync(FILE, `${JSON.stringify(v.parse(Measured, measured), null, 2)}\n`);

export const machine = () => {
  const all = cpus();
  return { processor: all[0]?.model ?? 'unknown', cores: all.length, node: process.version };
};
