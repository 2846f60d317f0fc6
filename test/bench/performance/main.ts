import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { documentOf } from './document.ts';
import { keep, machine, readMeasured } from './measured.ts';
import { sections } from './sections.ts';

/*
 * Measures ours beside what one would write otherwise and writes docs/performance.md: npm run bench
 * With --only NAME it measures that section and prints it; with --document it writes the page from what was measured last.
 */

const DOCUMENT = new URL('../../../docs/performance.md', import.meta.url);
const { values } = parseArgs({
  options: { only: { type: 'string' }, document: { type: 'boolean', default: false } },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const write = () => writeFileSync(DOCUMENT, documentOf(readMeasured()));

const measureOne = async (name: string) => {
  const section = sections.find((each) => each.name === name);
  if (!section) throw new Error(`There is none but ${sections.map((each) => each.name).join(', ')}.`);
  process.stdout.write(section.document(await section.measure(say)));
};

const measureAll = async () => {
  const measured: Record<string, unknown> = {};
  for (const { name, measure } of sections) {
    say(name);
    measured[name] = await measure(say);
  }
  keep({ date: new Date().toISOString().slice(0, 10), machine: machine(), sections: measured });
  write();
};

if (values.only) await measureOne(values.only);
else if (values.document) write();
else await measureAll();
