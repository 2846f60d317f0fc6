import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import * as v from 'valibot';
import { sections } from './sections.ts';

/** What is compared, by the versions that were installed. */
const packages = [
  'hono',
  'express',
  'serverless-http',
  'zod',
  'valibot',
  '@middy/core',
  '@aws-sdk/client-dynamodb',
  'esbuild',
];

/** What was measured in one run, as docs/performance.measured.json keeps it. */
const Measured = v.strictObject({
  date: v.string(),
  minutes: v.number(),
  machine: v.strictObject({
    processor: v.string(),
    cores: v.number(),
    node: v.string(),
    versions: v.record(v.string(), v.string()),
  }),
  sections: v.strictObject(Object.fromEntries(sections.map(({ name, schema }) => [name, schema]))),
});

export type Measured = v.InferOutput<typeof Measured>;

const FILE = new URL('../../docs/performance.measured.json', import.meta.url);

export const readMeasured = () => v.parse(Measured, JSON.parse(readFileSync(FILE, 'utf8')));

export const keep = (measured: Measured) =>
  writeFileSync(FILE, `${JSON.stringify(v.parse(Measured, measured), null, 2)}\n`);

const versionOf = (name: string): string => {
  const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
};

export const machine = () => {
  const all = cpus();
  return {
    processor: all[0]?.model ?? 'unknown',
    cores: all.length,
    node: process.version,
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
};
