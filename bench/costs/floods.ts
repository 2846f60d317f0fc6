import { priceList } from '../../infra/monitoring/price-list.ts';
import { assumptions } from './assumptions.ts';
import { snapshotGbMonth, storedGbOf } from './month.ts';
import {
  batchName,
  type Charge,
  chargesOf,
  costFor,
  costOf,
  cpuMsOnLambda,
  GB,
  invocation,
  logCharges,
  type Model,
} from './request.ts';

/**
 * The cost of an hour of a flood, and what it takes from the warehouses. A request passes the firewall, the throttle of
 * the method, the authorizer and its cache, and at last the limit of the client.
 */

const {
  accessLogBytes,
  clientBatchesPerSecond,
  clientRequestsPerSecond,
  clientsPerDeployment,
  firewallSeconds,
  floodTracedShare,
  logEventBytes,
  platformLogBytes,
  refusalBodyBytes,
  responseHeaderBytes,
  secretCallMs,
} = assumptions;

export type Flood = {
  what: string;
  perSecond: number;
  credentials: 'none' | 'random' | 'valid';
  /** Sent to every method of the API instead of one. */
  isSpread?: true;
  /** From many addresses, each below the firewall's limit. */
  isDistributed?: true;
};

const { prices } = priceList;
const HOUR = 3_600;

/** A wrong password is compared with the current and the previous password. A process reads each once in 5 s. */
const READS_PER_PROCESS = (2 * clientsPerDeployment) / 5;

/** Lambda starts at most this many times its quota of concurrent executions in a second. */
const STARTS_PER_EXECUTION = 10;

/** Erlang's formula: the share of calls that find each of these executions busy. */
const shareFindingAllBusy = (executions: number, busy: number) => {
  let share = 1;
  for (let count = 1; count <= executions; count += 1) share = (busy * share) / (count + busy * share);
  return share;
};

/** The processes that these calls keep busy, on average and at the highest peak. */
const processesFor = (model: Model, callsPerSecond: number) => {
  const ms = Math.ceil(cpuMsOnLambda(model, model.measured.authorizer.stranger.cpuMs));
  const waitingShare = (READS_PER_PROCESS * secretCallMs) / 1_000;
  const busy = (callsPerSecond * ms) / 1_000 / (1 - waitingShare);
  return { ms, busy, most: Math.ceil(busy + 4 * Math.sqrt(busy)) };
};

const shareNotStarted = (model: Model, callsPerSecond: number, quota: number) => {
  if (callsPerSecond === 0) return 0;
  const started = Math.min(callsPerSecond, STARTS_PER_EXECUTION * quota);
  const isBusy = shareFindingAllBusy(quota, processesFor(model, started).busy);
  return 1 - (started / callsPerSecond) * (1 - isBusy);
};

/** The requests that pass the firewall: the mean of the hour, and the lasting rate. */
const passing = ({ perSecond, isDistributed }: Flood, hasFirewall: boolean) =>
  hasFirewall && !isDistributed && perSecond > clientRequestsPerSecond
    ? { mean: (perSecond * firewallSeconds) / HOUR, lasting: 0 }
    : { mean: perSecond, lasting: perSecond };

const QUOTAS = { usual: 1_000, small: 10 };

const authorizerCharges = (model: Model, callsPerSecond: number): Charge[] => {
  const { stranger } = model.measured.authorizer;
  const { ms, most } = processesFor(model, callsPerSecond);
  const reads = Math.min(2, (most * READS_PER_PROCESS) / callsPerSecond);
  return [
    ...invocation(model, 'Authorizer', { warm: ms, cold: ms }, 0),
    { payer: 'Authorizer', what: 'reads of secrets', price: 'secretCall', amount: reads },
    ...logCharges(model, stranger.logBytes + platformLogBytes + 3 * logEventBytes),
  ];
};

/** The cost of the client's requests within its limits. The gateway has cached its policy. */
const servedDollarsPerSecond = (model: Model) => {
  const costPerRequest = (name: string) => {
    const charges = chargesOf(model, name, { authorizer: 0, function: 0 });
    return costOf(charges) - costFor(charges, 'Authorizer') - costFor(charges, 'Traces');
  };
  return (
    clientBatchesPerSecond * costPerRequest(batchName(40_000)) +
    (clientRequestsPerSecond - clientBatchesPerSecond) * costPerRequest('10,000 material codes')
  );
};

/** Dollars of an hour, and the shares of a warehouse's requests that are refused during the flood. */
export const hourOf = (model: Model, flood: Flood, hasFirewall: boolean) => {
  const { ratePerSecond, methods } = model.deployment;
  const { perSecond, credentials, isSpread } = flood;
  const admits = isSpread ? methods * ratePerSecond : ratePerSecond;
  const { mean, lasting } = passing(flood, hasFirewall);
  const callsOf = (passed: number) => (credentials === 'random' ? Math.min(passed, admits) : 0);
  const calls = HOUR * callsOf(mean);
  const authorizer = calls > 0 ? authorizerCharges(model, callsOf(mean)) : [];
  const servedSeconds = credentials === 'valid' ? HOUR * (mean / perSecond) : 0;
  const refused = HOUR * perSecond - servedSeconds * clientRequestsPerSecond;
  const line = logCharges(model, accessLogBytes + logEventBytes);
  const sentGb = (responseHeaderBytes + refusalBodyBytes) / GB;
  const dollars = {
    served: servedSeconds * servedDollarsPerSecond(model),
    authorizer: costFor(authorizer, 'Authorizer') * calls,
    logs: costFor(authorizer, 'Logs') * calls + costOf(line) * refused,
    responses: prices.dataOutGb * sentGb * refused,
    traces: prices.trace * floodTracedShare * HOUR * Math.min(mean, admits),
    firewall: hasFirewall ? prices.firewallRequest * HOUR * perSecond : 0,
  };
  const notStarted = (quota: number) => shareNotStarted(model, callsOf(lasting), quota);
  return {
    dollars,
    total: Object.values(dollars).reduce((sum, part) => sum + part, 0),
    authorizers: processesFor(model, callsOf(lasting)).most,
    throttled: Math.max(0, 1 - admits / lasting),
    notStarted: { usual: notStarted(QUOTAS.usual), small: notStarted(QUOTAS.small) },
  };
};

/** What an hour of a client at its limits adds to the table, and the monthly cost of this data. */
export const keptFromClient = (model: Model) => {
  const gb = HOUR * clientBatchesPerSecond * storedGbOf(model, batchName(40_000));
  return { gb, dollarsPerMonth: gb * snapshotGbMonth(model) };
};

export const floods: readonly Flood[] = [
  { what: 'No credentials', perSecond: 100, credentials: 'none' },
  { what: 'No credentials', perSecond: 10_000, credentials: 'none' },
  { what: 'Random credentials', perSecond: 100, credentials: 'random' },
  { what: 'Random credentials', perSecond: 10_000, credentials: 'random' },
  { what: 'Random credentials, to every path', perSecond: 10_000, credentials: 'random', isSpread: true },
  {
    what: 'Random credentials, from many addresses',
    perSecond: 10_000,
    credentials: 'random',
    isDistributed: true,
  },
  { what: 'A client at its limits', perSecond: clientRequestsPerSecond, credentials: 'valid' },
  { what: 'A client beyond its limits', perSecond: 10_000, credentials: 'valid' },
];
