import type { Measured } from './measured.ts';

/** What the platform allows at first, by its documentation. What an operation takes is a setting of the deployment. */
export const platform = {
  gatewayPerSecond: 10_000,
  gatewayBurst: 5_000,
  concurrency: 1_000,
  /** What some new accounts begin with. */
  newAccountConcurrency: 10,
  /** Of one function, in ten seconds. */
  newProcesses: 1_000,
  secretReadsPerSecond: 10_000,
  writeUnitsPerPartition: 1_000,
  /** Of a table on demand that has not seen more before. */
  tableWriteUnits: 4_000,
  tableReadUnits: 12_000,
  /** The most of either, before a quota is raised. */
  tableUnits: 40_000,
} as const;

export const limitNames = [
  'operation',
  'gateway',
  'concurrency',
  'newAccount',
  'newProcesses',
  'secrets',
  'partitionWrites',
  'tableWrites',
  'tableReads',
] as const;
export type LimitName = (typeof limitNames)[number];

type Limit = { what: string; allows: (seconds: number) => number; lift: string };

/** In a moment's rush the bursts count; in one that lasts, the rates. */
const within = (rate: number, burst: number) => (seconds: number) => (seconds > 1 ? rate : burst);

export const limitsOf = ({ settings }: Measured): Record<LimitName, Limit> => ({
  operation: {
    what: 'Requests a second to one operation',
    allows: within(settings.ratePerSecond, settings.burst),
    lift: 'settings `throttle.ratePerSecond` and `throttle.burst`',
  },
  gateway: {
    what: 'Requests a second to an account',
    allows: within(platform.gatewayPerSecond, platform.gatewayBurst),
    lift: 'quota "Throttle rate" of API Gateway',
  },
  concurrency: {
    what: 'Functions of an account at work at once',
    allows: () => platform.concurrency,
    lift: 'quota `L-B99A9384` of Lambda',
  },
  newAccount: {
    what: 'The same in an account that is new',
    allows: () => platform.newAccountConcurrency,
    lift: 'the same quota',
  },
  newProcesses: {
    what: 'New processes of a function in 10 s',
    allows: () => platform.newProcesses,
    lift: 'nothing',
  },
  secrets: {
    what: 'Reads of secrets a second in an account',
    allows: () => platform.secretReadsPerSecond,
    lift: 'nothing',
  },
  partitionWrites: {
    what: 'Write units a second under one key',
    allows: () => platform.writeUnitsPerPartition,
    lift: 'nothing; parts of a batch have keys of their own',
  },
  tableWrites: {
    what: 'Write units a second to a table',
    allows: () => platform.tableWriteUnits,
    lift: 'warm throughput of the table',
  },
  tableReads: {
    what: 'Read units a second from a table',
    allows: () => platform.tableReadUnits,
    lift: 'warm throughput of the table',
  },
});
