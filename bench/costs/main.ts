import { parseArgs } from 'node:util';
import { writeBlocks } from '../markdown.ts';
import { assumptions } from './assumptions.ts';
import { readDeployment } from './deployment.ts';
import { measure } from './measure.ts';
import { readMeasured, writeMeasured } from './measured.ts';
import { capacityBlocks, costBlocks } from './tables.ts';

/*
 * npm run costs               writes the tables of docs/costs.md and docs/capacity.md
 * npm run costs -- --measure  measures the requests before that, on a machine that does little else
 */

const COSTS = new URL('../../docs/costs.md', import.meta.url);
const CAPACITY = new URL('../../docs/capacity.md', import.meta.url);
const { values } = parseArgs({ options: { measure: { type: 'boolean', default: false } } });

if (values.measure) writeMeasured(await measure(new Date()));
const deployment = await readDeployment(assumptions.clientsPerDeployment);
const model = { measured: readMeasured(), deployment };
writeBlocks(COSTS, costBlocks(model));
writeBlocks(CAPACITY, capacityBlocks(model));
