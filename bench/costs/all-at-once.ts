import { createHash } from 'node:crypto';
import { assumptions } from './assumptions.ts';
import { hourOfWarehouse } from './month.ts';
import { authorizerMs, batchName, findRequest, type Model, requestMs } from './request.ts';

/** Which limit is met first when many warehouses report at the same time. */

/** Each warehouse sends one batch and one change and reads both lists within these seconds. */
export type Rush = { warehouses: number; seconds: number; entries: number };

export const REQUESTS_PER_WAREHOUSE = hourOfWarehouse.length;
const CODES = '1,000 material codes';
const requestNames = ({ entries }: Rush) => [batchName(entries), 'change', CODES, '1,000 purchase orders'];

const inOneDeployment = ({ warehouses }: Rush) => Math.min(warehouses, assumptions.clientsPerDeployment);

/** Little's law, and at most all requests at once. */
const concurrent = (requests: number, seconds: number, ms: number) =>
  Math.ceil(requests * Math.min(1, ms / 1_000 / seconds));

/** The most that a rush can need: each request meets a process that has to start. */
export const concurrencies = (model: Model, rush: Rush, warehouses: number) => [
  concurrent(warehouses * REQUESTS_PER_WAREHOUSE, rush.seconds, authorizerMs(model).cold),
  ...requestNames(rush).map((name) => concurrent(warehouses, rush.seconds, requestMs(model, name).cold)),
];

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A function writes a large batch for as long as it runs. */
const writingSeconds = (model: Model, { seconds, entries }: Rush) =>
  Math.max(seconds, requestMs(model, batchName(entries)).warm / 1_000);

/** Of a new table on demand. */
const PARTITIONS = 4;
const TABLES = 100;

/** A hash distributes the keys of the parts, never evenly. The mean of tables with different hashes. */
const shareOfBusiestPartition = (keys: number) => {
  const shares = Array.from({ length: TABLES }, (_, table) => {
    const counts = Array.from({ length: PARTITIONS }, () => 0);
    for (let key = 0; key < keys; key += 1) {
      const hash = createHash('sha256').update(`${table} ${key}`).digest();
      const partition = hash.readUInt32BE() % PARTITIONS;
      counts[partition] = (counts[partition] ?? 0) + 1;
    }
    return Math.max(...counts) / keys;
  });
  return sum(shares) / TABLES;
};

type Limit = {
  what: string;
  allows: (seconds: number, model: Model) => number;
  needs: (model: Model, rush: Rush) => number;
  raise: string;
  /** Not compared when looking for the limit that is met first, because few accounts have it. */
  isApart?: true;
};

const sumOfConcurrencies = (model: Model, rush: Rush) => sum(concurrencies(model, rush, rush.warehouses));

/** The defaults of the platform as documented; the first limit is a setting of the deployment. */
export const limits: readonly Limit[] = [
  {
    what: 'Requests/s to an operation',
    allows: (seconds, { deployment }) => (seconds > 1 ? deployment.ratePerSecond : deployment.burst),
    needs: (_, rush) => inOneDeployment(rush) / rush.seconds,
    raise: 'setting `throttle`',
  },
  {
    what: 'Requests/s to an account',
    allows: (seconds) => (seconds > 1 ? 10_000 : 5_000),
    needs: (_, { warehouses, seconds }) => (warehouses * REQUESTS_PER_WAREHOUSE) / seconds,
    raise: 'API Gateway quota "Throttle rate"',
  },
  {
    what: 'Executions at once',
    allows: () => 1_000,
    needs: sumOfConcurrencies,
    raise: 'Lambda quota `L-B99A9384`',
  },
  {
    what: 'The same, some new accounts',
    allows: () => 10,
    needs: sumOfConcurrencies,
    raise: 'the same quota',
    isApart: true,
  },
  {
    what: 'New processes in 10 s',
    allows: () => 1_000,
    needs: (model, rush) => Math.max(...concurrencies(model, rush, inOneDeployment(rush))),
    raise: 'nothing',
  },
  {
    what: 'Secret reads/s',
    allows: () => 10_000,
    needs: ({ measured }, { warehouses, seconds }) =>
      (warehouses * REQUESTS_PER_WAREHOUSE * measured.authorizer.secretReads) / seconds,
    raise: 'nothing',
  },
  {
    what: 'Write units/s to a partition',
    allows: () => 1_000,
    needs: (model, rush) => {
      const batch = findRequest(model, batchName(rush.entries));
      const warehouses = inOneDeployment(rush);
      const units = warehouses * batch.writeUnits * shareOfBusiestPartition(warehouses * batch.items);
      return units / writingSeconds(model, rush);
    },
    raise: 'setting `warmThroughput`',
  },
  {
    what: 'Read units/s from a table',
    allows: () => 12_000,
    needs: (model, rush) => (inOneDeployment(rush) * findRequest(model, CODES).readUnits) / rush.seconds,
    raise: "the table's warm throughput",
  },
];

/** How many times the rush fits into the limit. Below 1 the limit is exceeded. */
export const timesWithin = (limit: Limit, model: Model, rush: Rush) =>
  limit.allows(rush.seconds, model) / limit.needs(model, rush);

export const firstLimitMet = (model: Model, rush: Rush) => {
  const [first] = limits
    .filter(({ isApart }) => !isApart)
    .map((limit) => ({ what: limit.what, times: timesWithin(limit, model, rush) }))
    .toSorted((one, other) => one.times - other.times);
  if (!first) throw new Error('There is no limit.');
  return first;
};
