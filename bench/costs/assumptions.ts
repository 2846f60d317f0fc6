import { toSettings } from '../../infra/settings/settings.ts';

const { clientLimits } = toSettings({});

/** Figures that are neither measured nor prices. After a change, run `npm run costs`. */
export const assumptions = {
  /** Warehouses in a full deployment. */
  clientsPerDeployment: 30,
  /** The number of batches from one warehouse in an hour. */
  batchesPerHour: 4,
  changesPerHour: 4,
  /** How often a warehouse reads each of the two lists in an hour. */
  listReadsPerHour: 1,
  hoursPerMonth: 730,
  /** How long the optional backup keeps daily and monthly backups. */
  backupDays: 7,
  backupMonths: 12,

  /** Lambda ends a process that was idle for this long. Not documented. */
  idleMinutes: 6,
  /** CPU time on Lambda (arm64), divided by CPU time on the measuring machine. Not measured. */
  slowerProcessor: 1.3,
  /** The waiting time for each call to a table, and again for each MB that it reads or writes. */
  tableCallMs: 6,
  tableMsPerMb: 80,
  /** The authorizer's waiting time for each read of a secret. */
  secretCallMs: 12,
  /** A new process takes this long before it loads its bundle. Lambda bills it. */
  initMs: 115,
  /** The first call of a process takes this much longer, because it opens a TLS connection. */
  connectMs: 30,

  responseHeaderBytes: 500,
  /** A line of the access log in the deployed format. */
  accessLogBytes: 345,
  /** The two lines that Lambda writes for each invocation. */
  platformLogBytes: 528,
  /** CloudWatch adds these to each log line. */
  logEventBytes: 26,
  /** The compressed size of a stored log line as a share of its size, as in the examples of the price page. */
  logCompression: 0.15,
  /** The share of the requests with a trace. The default sampling rule records less. */
  tracedShare: 1,

  /** A client's own limits for all requests and for batches. */
  clientRequestsPerSecond: clientLimits.rate,
  clientBatchesPerSecond: clientLimits.batches.rate,
  /** The share of a flood with a trace, by the default sampling rule. */
  floodTracedShare: 0.05,
  /** How long the firewall's rate rule takes to block an address. Amazon says usually less, sometimes minutes. */
  firewallSeconds: 30,
  /** The body of an answer of the gateway itself. */
  refusalBodyBytes: 250,
} as const;
