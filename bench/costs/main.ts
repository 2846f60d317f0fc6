import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { documentOf } from './document.ts';
import { MEASURED_FILE, readMeasured } from './measured.ts';

/*
 * Writes docs/costs.md from docs/costs.measured.json and the price list. With --measure it measures before that, on a
 * machine that does little else: npm run costs -- --measure
 */

const DOCUMENT = new URL('../../docs/costs.md', import.meta.url);
const { values } = parseArgs({ options: { measure: { type: 'boolean', default: false } } });

if (values.measure) {
  // Loads what deployments are made with, which takes its time and is needed for nothing else.
  const { measure } = await import('./measure.ts');
  const measured = await measure(new Date(), (line) => process.stderr.write(`${line}\n`));
  writeFileSync(MEASURED_FILE, `${JSON.stringify(measured, null, 2)}\n`);
}
writeFileSync(DOCUMENT, documentOf(readMeasured()));
