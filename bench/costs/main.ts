import { parseArgs } from 'node:util';
import { writeBlocks } from '../markdown.ts';
import { assumptions } from './assumptions.ts';
import { readDeployment } from './deployment.ts';
import { measure } from './measure.ts';
import { readMeasured, writeMeasured } from './measured.ts';
import { costBlocks } from './tables.ts';

/*
 * npm run costs               writes the tables of docs/costs.md
 * npm run costs -- --measure  measures the requests before that, on a machine that does little else
 */

const PAGE = new URL('../../docs/costs.md', import.meta.url);
const { values } = parseArgs({ options: { measure: { type: 'boolean', default: false } } });

if (values.measure) writeMeasured(await measure(new Date()));
const deployment = await readDeployment(assumptions.clientsPerDeployment);
writeBlocks(PAGE, costBlocks({ measured: readMeasured(), deployment }));
