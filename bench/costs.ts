import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { INFREQUENT_FROM_DAYS } from '../infra/data/tables.ts';
import { parseSettings } from '../infra/settings/stages.ts';
import { WarehouseControlStack } from '../infra/warehouse-control-stack.ts';
import { formatNumber, numbersTable, writeBlocks } from './markdown.ts';

/** Dollars in eu-central-1, without free tiers and volume discounts. docs/costs.md says where they come from. */
const prices = {
  /** REST API, the first 333 million a month. */
  apiRequest: 3.7e-6,
  lambdaRequest: 0.2e-6,
  /** arm64, the first 7.5 billion a month. */
  lambdaGbSecond: 0.0000133334,
  /** Tables on demand, in the classes Standard and Standard-IA. */
  writeUnit: 0.7625e-6,
  infrequentWriteUnit: 0.955e-6,
  tableGbMonth: 0.306,
  infrequentTableGbMonth: 0.1224,
  readUnit: 0.1525e-6,
  /** Point-in-time recovery, the same for both classes. */
  recoveryGbMonth: 0.2448,
  backupGbMonth: 0.1224,
  logsWrittenGb: 0.63,
  /** Per compressed GB. */
  logsStoredGbMonth: 0.0324,
  metricMonth: 0.3,
  /** For each metric that an alarm watches, or that its query finds. */
  alarmMonth: 0.1,
  insightRuleMonth: 0.5,
  secretMonth: 0.4,
  secretCall: 5e-6,
  trace: 5e-6,
  /** To the internet, the first 10 TB a month. */
  dataOutGb: 0.09,
  firewallMonth: 5,
  firewallRuleMonth: 1,
  firewallRequest: 0.6e-6,
};

/** What Lambda bills in a process that runs, and in a new one. */
type Milliseconds = { warm: number; cold: number };

/*
 * Measured on 2026-11-21. `npm run bench` repeats the units of the batches. Stored bytes contain the 100 that DynamoDB
 * adds to each item. The milliseconds are 1.3 times the processor time of that day and an assumed wait: 6 ms for a call to
 * a table and 80 ms for each MB, 12 ms for a secret, 115 ms for a new process and 30 ms for its first connection.
 */
const batches = new Map([
  [1, { units: 1, storedBytes: 388, ms: { warm: 10, cold: 218 } }],
  [200, { units: 19, storedBytes: 18_558, ms: { warm: 13, cold: 232 } }],
  [4_000, { units: 364, storedBytes: 371_854, ms: { warm: 67, cold: 415 } }],
  [40_000, { units: 3_678, storedBytes: 3_763_464, ms: { warm: 364, cold: 637 } }],
]);
const BATCH_RESPONSE_BYTES = 111;
const change = { units: 1, storedBytes: 230, ms: { warm: 9, cold: 210 }, responseBytes: 40 };
/** Of 1,000 rows. */
const list = { units: 20, ms: { warm: 20, cold: 236 }, responseBytes: 99_549 };
const AUTHORIZER_MS = { warm: 17, cold: 214 };
/** The lines of the gateway, of both functions and of Lambda for one request. */
const LOG_BYTES = 2_000;
const RESPONSE_HEADER_BYTES = 500;

const GB = 1_024 ** 3;
const MEMORY_GB = 1_769 / 1_024;
const HOURS_PER_MONTH = 730;
const DAYS_PER_YEAR = 365;
const CLIENTS_PER_DEPLOYMENT = 30;
/** Lambda ends a process after so long without a request. Not documented. */
const IDLE_HOURS = 0.1;
/** Log lines are stored for the default of three months, and compressed to 15 %. */
const LOG_GB = prices.logsWrittenGb + 3 * 0.15 * prices.logsStoredGbMonth;
/** The optional backup: 7 daily and 12 monthly full copies. Older ones are smaller, because tables grow. */
const BACKUP_COPIES = 6.9 + 6.5;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const findBatch = (entries: number) => {
  const found = batches.get(entries);
  if (!found) throw new Error(`No batch of ${entries} entries was measured.`);
  return found;
};

/** The days after which a stored batch is cheaper in Standard-IA than in Standard. */
const breakEvenDays = (entries: number) => {
  const { units, storedBytes } = findBatch(entries);
  const dearerWrites = units * (prices.infrequentWriteUnit - prices.writeUnit);
  const savedPerMonth = (storedBytes / GB) * (prices.tableGbMonth - prices.infrequentTableGbMonth);
  return Math.ceil(((dearerWrites / savedPerMonth) * HOURS_PER_MONTH) / 24);
};

/** An alarm costs as much as the metrics that it watches. A query counts as one while it finds nothing. */
const countAlarmMetrics = () => {
  const outdir = mkdtempSync(join(tmpdir(), 'warehouse-control-costs-'));
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] }, analyticsReporting: false });
  const settings = parseSettings({ clients: ['warehouse'] });
  const template = Template.fromStack(new WarehouseControlStack(app, settings.stackName, { settings }));
  rmSync(outdir, { recursive: true });
  const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
  const watchedBy = ({ Metrics = [] }: { Metrics?: object[] }) =>
    Metrics.filter((metric) => 'MetricStat' in metric).length;
  return sum(alarms.map(({ Properties }) => Math.max(1, watchedBy(Properties))));
};
/** One alarm is for the silence of a client, so each further client adds one. */
const ALARM_METRICS_OF_DEPLOYMENT = countAlarmMetrics() - 1;

type Load = { warehouses: number; batchesPerHour: number; entries: number };

/** A change comes with each batch, and each of the two lists is read once an hour. All deployments are equally full. */
const monthOf = ({ warehouses, batchesPerHour, entries }: Load) => {
  const deployments = Math.ceil(warehouses / CLIENTS_PER_DEPLOYMENT);
  const { storedBytes, ...written } = findBatch(entries);
  const snapshot = { ...written, responseBytes: BATCH_RESPONSE_BYTES };
  const kinds = [
    { ...snapshot, perHour: batchesPerHour, unitPrice: prices.infrequentWriteUnit },
    { ...change, perHour: batchesPerHour, unitPrice: prices.writeUnit },
    { ...list, perHour: 1, unitPrice: prices.readUnit },
    { ...list, perHour: 1, unitPrice: prices.readUnit },
  ];
  const requestsPerHour = sum(kinds.map(({ perHour }) => perHour));
  const month = (dollarsOf: (kind: (typeof kinds)[number]) => number) =>
    sum(kinds.map((kind) => dollarsOf(kind) * kind.perHour)) * warehouses * HOURS_PER_MONTH;

  /** Requests come at random times. Each needs a new process, unless another came shortly before. */
  const invocation = ({ warm, cold }: Milliseconds, perHour: number) => {
    const coldShare = Math.exp((-perHour * IDLE_HOURS * warehouses) / deployments);
    const seconds = (warm * (1 - coldShare) + cold * coldShare) / 1_000;
    return prices.lambdaRequest + seconds * MEMORY_GB * prices.lambdaGbSecond;
  };
  const responses = (bytes: number) => ((bytes + RESPONSE_HEADER_BYTES) / GB) * prices.dataOutGb;
  const storedGb = (bytes: number, days: number) => (warehouses * batchesPerHour * 24 * days * bytes) / GB;
  const changes = storedGb(change.storedBytes, DAYS_PER_YEAR);
  const storage = (days: number) =>
    storedGb(storedBytes, days) * (prices.infrequentTableGbMonth + prices.recoveryGbMonth) +
    changes * (prices.tableGbMonth + prices.recoveryGbMonth);

  const requests = {
    'Gateway, and responses to the internet': month(
      (kind) => prices.apiRequest + responses(kind.responseBytes),
    ),
    'Authorizer, and its reads of secrets': month(
      () => invocation(AUTHORIZER_MS, requestsPerHour) + prices.secretCall,
    ),
    'Functions of the operations': month(({ ms, perHour }) => invocation(ms, perHour)),
    'Write and read units of the tables': month(({ units, unitPrice }) => units * unitPrice),
    Logs: month(() => (LOG_BYTES / GB) * LOG_GB),
    Traces: month(() => prices.trace),
  };
  const idle = {
    Secrets: warehouses * prices.secretMonth,
    Alarms: (deployments * ALARM_METRICS_OF_DEPLOYMENT + warehouses) * prices.alarmMonth,
    'Contributor Insights, two rules': deployments * 2 * prices.insightRuleMonth,
  };
  const firstMonth = {
    ...requests,
    ...idle,
    'Metric `Snapshots` of each client': warehouses * prices.metricMonth,
  };
  const total = (days: number) => sum(Object.values(firstMonth)) + storage(days);
  return {
    ...firstMonth,
    'Tables after a year, with point-in-time recovery': storage(DAYS_PER_YEAR),
    '**Total after a year**': total(DAYS_PER_YEAR),
    '**Total after a year with `snapshotRetentionDays` 90**': total(90),
    '**Idle: no request, nothing stored**': sum(Object.values(idle)),
    'In addition: the setting `firewall`':
      deployments * (prices.firewallMonth + prices.firewallRuleMonth + prices.alarmMonth) +
      month(() => prices.firewallRequest),
    'In addition: the setting `backup` after a year':
      BACKUP_COPIES * (storedGb(storedBytes, DAYS_PER_YEAR) + changes) * prices.backupGbMonth,
    // Two metrics of each client and six others; two alarms query those of the clients.
    'In addition: metrics of refused and throttled requests, at most':
      (deployments * 6 + warehouses * 2) * prices.metricMonth +
      (warehouses - deployments) * 2 * prices.alarmMonth,
  };
};

const positiveNumber = (text: string) => {
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('Give a number above 0.');
};

const monthTable = (heads: readonly string[], loads: readonly Load[]) => {
  const months = loads.map(monthOf);
  const labels = Object.keys(months[0] ?? {});
  const amounts = months.map((month) => new Map(Object.entries(month)));
  const rows = labels.map((label) => [
    label,
    ...amounts.map((month) => formatNumber(month.get(label) ?? 0, 2)),
  ]);
  return numbersTable(['Dollars a month', ...heads], rows);
};

const batchesTable = (warehouses: number) => {
  const hourly = [1, 4, 12];
  const rows = [...batches].map(([entries, { units }]) => {
    const totals = hourly.map((batchesPerHour) => {
      const month = monthOf({ warehouses, batchesPerHour, entries });
      return formatNumber(month['**Total after a year with `snapshotRetentionDays` 90**'], 2);
    });
    return [formatNumber(entries), formatNumber(units), ...totals, `${breakEvenDays(entries)} days`];
  });
  const heads = hourly.map((batchesPerHour) => `${batchesPerHour} an hour`);
  return numbersTable(['Entries', 'Write units', ...heads, 'Standard-IA is cheaper from'], rows);
};

const { warehouses, batchesPerHour, entries } = new Command('npm run costs --')
  .description('Prints a month of your warehouses. Without --warehouses, writes the tables of docs/costs.md.')
  .option('--warehouses <count>', 'how many warehouses', positiveNumber)
  .option('--batches-per-hour <count>', 'batches of each warehouse in an hour', positiveNumber, 4)
  .addOption(
    new Option('--entries <count>', 'entries of each batch')
      .choices([...batches.keys()].map(String))
      .default('200'),
  )
  .parse()
  .opts();
if (warehouses) {
  const load = { warehouses, batchesPerHour, entries: Number(entries) };
  process.stdout.write(`${monthTable([`${warehouses} warehouses`], [load])}\n`);
} else {
  if (breakEvenDays(200) !== INFREQUENT_FROM_DAYS)
    throw new Error(`INFREQUENT_FROM_DAYS in infra/data/tables.ts should be ${breakEvenDays(200)}.`);
  const loads = [1, 30, 300].map((warehouses) => ({ warehouses, batchesPerHour: 4, entries: 200 }));
  writeBlocks(new URL('../docs/costs.md', import.meta.url), {
    'costs:month': monthTable(['1 warehouse', '30 warehouses', '300 warehouses'], loads),
    'costs:batches': batchesTable(30),
  });
}
