import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { documentOf } from './document.ts';
import { keep, machine, readMeasured } from './measured.ts';
import type { Section } from './section.ts';
import { sections } from './sections.ts';

/*
 * Measures ours beside what one would write otherwise and writes docs/performance.md: npm run bench
 * With --only NAME it measures that section and prints it; with --document it writes the page from what was measured last.
 */

const DOCUMENT = new URL('../../docs/performance.md', import.meta.url);
const { values } = parseArgs({
  options: { only: { type: 'string' }, document: { type: 'boolean', default: false } },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const write = () => writeFileSync(DOCUMENT, documentOf(readMeasured()));

/** Checked at once: what cannot be told is no reason to find out ten minutes later. */
const measured = async ({ name, schema, measure }: Section) => {
  say(name);
  return v.parse(schema, await measure((line) => say(`  ${line}`)));
};

const measureOne = async (name: string) => {
  const section = sections.find((each) => each.name === name);
  if (section) process.stdout.write(section.document(await measured(section)));
  else say(`There is no section ${name}, but ${sections.map((each) => each.name).join(', ')}.`);
  process.exitCode = section ? 0 : 1;
};

const measureAll = async () => {
  const started = Date.now();
  const all: Record<string, unknown> = {};
  for (const section of sections) all[section.name] = await measured(section);
  const minutes = Math.round((Date.now() - started) / 60_000);
  keep({ date: new Date().toISOString().slice(0, 10), minutes, machine: machine(), sections: all });
  write();
};

if (values.only) await measureOne(values.only);
else if (values.document) write();
else await measureAll();
