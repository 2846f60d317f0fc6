import { count, numbersTable, significant } from '../harness/markdown.ts';
import { assumptions } from './assumptions.ts';
import { coldMs } from './billed.ts';
import { limitNames, limitsOf, platform } from './limits.ts';
import type { Measured } from './measured.ts';
import { factsOf, operationOf } from './request.ts';
import { firstMet, type Need, needsOf, type Rush, warehousesUntil } from './rush.ts';
import { batchName, LARGEST_BATCH, SMALL_BATCH } from './scenarios.ts';

const FULL = assumptions.clientsPerDeployment.value;
const MANY = 300;
const MINUTE = 60;

const rushes: Rush[] = [
  { warehouses: FULL, seconds: MINUTE, entries: SMALL_BATCH },
  { warehouses: FULL, seconds: 1, entries: SMALL_BATCH },
  { warehouses: MANY, seconds: MINUTE, entries: SMALL_BATCH },
  { warehouses: MANY, seconds: 1, entries: SMALL_BATCH },
  { warehouses: FULL, seconds: MINUTE, entries: LARGEST_BATCH },
  { warehouses: FULL, seconds: 1, entries: LARGEST_BATCH },
];

const nameOf = ({ warehouses, seconds, entries }: Rush) =>
  `${warehouses} in a ${seconds === 1 ? 'second' : 'minute'}${entries === SMALL_BATCH ? '' : `, ${count(entries)} entries`}`;

const timesOf = ({ times }: Need) => (times < 1 ? `**${significant(times)}×**` : `${significant(times)}×`);
const cellOf = (need: Need) => `${significant(need.needed, 3)} (${timesOf(need)})`;

const limitsTable = (measured: Measured) => {
  const limits = limitsOf(measured);
  const needs = rushes.map((rush) => needsOf(measured, rush));
  return numbersTable(
    ['Limit', 'Allows', ...rushes.map(nameOf), 'Lifted by'],
    limitNames.map((name, index) => {
      const [lasting, atOnce] = [limits[name].allows(MINUTE), limits[name].allows(1)];
      const allows = lasting === atOnce ? count(lasting) : `${count(lasting)}; ${count(atOnce)} at once`;
      const cells = needs.flatMap((each) => each.slice(index, index + 1).map(cellOf));
      return [limits[name].what, allows, ...cells, limits[name].lift];
    }),
  );
};

/** Under one key there is no more to write when there are more warehouses. */
const isCompared = ({ limit }: Need) => limit !== 'newAccount' && limit !== 'partitionWrites';

/** So near to the limit, what is assumed decides. */
const isAbout = (times: number) => times > 0.75 && times < 1.33;

const verdictOn = (rush: Rush, first: Need) => {
  if (isAbout(first.times)) return 'is about what they need';
  if (first.times > 1) return `would do for ${significant(first.times)} times as much`;
  return `is needed ${significant(1 / first.times)} times over; it would do for ${count(warehousesUntil(rush, first))} of them`;
};

const firstOf = (measured: Measured, rush: Rush) => {
  const first = firstMet(needsOf(measured, rush).filter(isCompared));
  const { what } = limitsOf(measured)[first.limit];
  return `- ${nameOf(rush)}: "${what.toLowerCase()}" ${verdictOn(rush, first)}.`;
};

const coldAuthorizerMs = (measured: Measured) => {
  const { readsSecret } = measured.authorizer;
  return coldMs(readsSecret, factsOf(measured, readsSecret.function));
};

export const atOnceSection = (measured: Measured) => {
  const largest = operationOf(measured, batchName(LARGEST_BATCH));
  return `On paper, from what is measured and [assumed](#assumed), against limits that the platform documents and nobody has tried here. Every
warehouse sends a batch and a change and reads both lists, within the same minute or second, after a pause, so that each process has to be
started (the authorizer's takes ${count(coldAuthorizerMs(measured))} ms). ${count(MANY)} warehouses are ${count(MANY / FULL)} deployments in one account. In brackets: how many times what is needed
goes into the limit; below 1× it is passed.

${limitsTable(measured)}

What is met first, in an account that is not new (writes under one key are left out: they are the same for any number of warehouses):

${rushes.map((rush) => firstOf(measured, rush)).join('\n')}

What to know of it:

- **Some new accounts begin with ${count(platform.newAccountConcurrency)} functions at work at once.** Ask for more before several warehouses are connected: \`aws service-quotas
  request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${count(platform.concurrency).replace(',', '')}\`. No function has a share reserved.
- Past the limit of an operation the gateway answers 429 with \`Retry-After: 1\`; where functions may not start, the client sees an error. Where a
  table takes no more, its function tries again for some seconds and then answers 503 with \`Retry-After\`. Sending the same again is safe.
- A batch of ${count(largest.requestBytes / 1_000_000, 1)} MB takes ${count(largest.writeUnits)} write units. A table on demand takes ${count(platform.tableWriteUnits)} a second at first and twice its earlier peak after that;
  \`aws dynamodb update-table --table-name … --warm-throughput WriteUnitsPerSecond=…\` buys more at once, up to the quota of ${count(platform.tableUnits)}.
- What costs nothing and helps against all of it: warehouses that report at different seconds.
- CloudWatch is not in the table: metrics travel in log lines, and the platform ships those by itself.`;
};
