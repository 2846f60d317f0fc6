import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DOLLARS } from '../admin/stock/queries/estimate-older.ts';
import {
  AUTHORIZER_MS,
  CHANGE_MS,
  type Milliseconds,
  MOMENT_SECONDS,
  msOfUnits,
  NEW_TABLE_READS,
  type Rush,
  simulateRush,
  USUAL_EXECUTIONS,
  unitsOfSignIn,
} from '../doctor/facts/simulate-rush.ts';
import { INFREQUENT_FROM_DAYS } from '../infra/data/tables.ts';
import { parseSettings } from '../infra/settings/stages.ts';
import { WarehouseControlStack } from '../infra/warehouse-control-stack.ts';
import { operations } from '../shared/operations.ts';
import { FIRST_READ_SIZE, measureFirstRead } from './first-read.ts';
import type { FirstRead } from './first-read-process.ts';
import { type History, type HistoryFigures, measureHistory } from './history.ts';
import { formatNumber, numbersTable, writeSections } from './markdown.ts';
import { measureReads } from './reads.ts';

/** Dollars in eu-central-1, without free tiers and volume discounts. docs/costs.md has the sources of the prices. */
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
  infrequentReadUnit: DOLLARS.readUnit,
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
  trace: 5e-6,
  /** To the internet, the first 10 TB a month. */
  dataOutGb: DOLLARS.sentGb,
  firewallMonth: 5,
  firewallRuleMonth: 1,
  firewallRequest: 0.6e-6,
};

/*
 * Measured on 2026-11-21. `npm run bench` measures the units of the batches again. Stored bytes contain the 100 bytes that
 * DynamoDB adds to each item. The milliseconds are 1.3 times the processor time of that day, plus assumed waits: 6 ms for
 * a call to a table and 80 ms for each MB, 115 ms for a new process and 30 ms for its first connection.
 */
const batches = new Map([
  [1, { units: 1, storedBytes: 388, ms: { warm: 10, cold: 218 } }],
  [200, { units: 19, storedBytes: 18_558, ms: { warm: 13, cold: 232 } }],
  [4_000, { units: 364, storedBytes: 371_854, ms: { warm: 67, cold: 415 } }],
  [40_000, { units: 3_678, storedBytes: 3_763_464, ms: { warm: 364, cold: 637 } }],
]);
const BATCH_RESPONSE_BYTES = 111;
const change = { units: 1, storedBytes: 230, ms: CHANGE_MS, responseBytes: 40 };
/** A list of 1,000 rows. */
const list = { units: 9.5, ms: { warm: 20, cold: 236 }, responseBytes: 96_755 };
/** How often a busy authorizer reads the table Clients. */
const clientsRead = { everySeconds: 30, afterMismatchEverySeconds: 5 };
/** The log lines of the gateway, of both functions and of Lambda for one request. */
const LOG_BYTES = 2_000;
/** The log lines of the authorizer and of Lambda for a request that the authorizer refuses. */
const AUTHORIZER_LOG_BYTES = 1_000;
const RESPONSE_HEADER_BYTES = 500;
const REFUSAL_BYTES = 250;
/** How long the firewall takes to block an address. AWS says that it usually takes less, and sometimes minutes. */
const FIREWALL_SECONDS = 30;

const GB = 1_024 ** 3;
const MEMORY_GB = 1_769 / 1_024;
const HOURS_PER_MONTH = 730;
const DAYS_PER_YEAR = 365;
/** Lambda ends a process after about this time without a request. AWS does not document it. */
const IDLE_HOURS = 0.1;
/** Log lines are stored for the default of three months, and compressed to 15 %. */
const LOG_GB = prices.logsWrittenGb + 3 * 0.15 * prices.logsStoredGbMonth;
/** The optional backup: 7 daily and 12 monthly full copies. Older copies are smaller, because tables grow. */
const BACKUP_COPIES = 6.9 + 6.5;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const findBatch = (entries: number) => {
  const batch = batches.get(entries);
  if (!batch) throw new Error(`No batch of ${entries} entries was measured.`);
  return batch;
};

/** The days after which a stored batch is cheaper in Standard-IA than in Standard. */
const breakEvenDays = (entries: number) => {
  const { units, storedBytes } = findBatch(entries);
  const dearerWrites = units * (prices.infrequentWriteUnit - prices.writeUnit);
  const savedPerMonth = (storedBytes / GB) * (prices.tableGbMonth - prices.infrequentTableGbMonth);
  return Math.ceil(((dearerWrites / savedPerMonth) * HOURS_PER_MONTH) / 24);
};

const template = (() => {
  const outdir = mkdtempSync(join(tmpdir(), 'warehouse-control-costs-'));
  const app = new App({
    outdir,
    context: { 'aws:cdk:bundling-stacks': [] },
    analyticsReporting: false,
    // It takes two seconds, and the synthesis of a deployment does it.
    builtinCloudFormationValidation: false,
  });
  const settings = parseSettings({});
  const stackTemplate = Template.fromStack(new WarehouseControlStack(app, settings.stackName, { settings }));
  rmSync(outdir, { recursive: true });
  return stackTemplate;
})();

/** An alarm costs as much as the metrics that it watches. A query that finds nothing counts as one metric. */
const ALARM_METRICS = sum(
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties: { Metrics = [] } }) => {
    const watched = Metrics.filter((metric: object) => 'MetricStat' in metric);
    return Math.max(1, watched.length);
  }),
);
/** The number of methods of the API. Each method has a throttle of its own. */
const METHODS = Object.keys(template.findResources('AWS::ApiGateway::Method')).length;

/** What the access log has for a request without credentials. It has `-` for all other fields. */
const refusedRequest: Record<string, string> = {
  extendedRequestId: 'JKJaXmPLvHcESHA=',
  requestTime: '28/Nov/2026:10:04:09 +0000',
  httpMethod: 'POST',
  resourcePath: operations['post-material-stock-balance'].path,
  status: '401',
  responseLatency: '3',
  responseLength: '262',
  'identity.sourceIp': '203.0.113.107',
  tlsVersion: 'TLSv1.3',
  cipherSuite: 'TLS_AES_128_GCM_SHA256',
  'error.responseType': 'UNAUTHORIZED',
};
/** The line of the access log, and the 26 bytes that CloudWatch adds to each line. */
const REFUSAL_LOG_BYTES = (() => {
  const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
  const format: string = stage?.['Properties'].AccessLogSetting.Format;
  return 26 + format.replaceAll(/\$context\.([\w.]+)/g, (_, name) => refusedRequest[name] ?? '-').length;
})();

/** A read of the table Clients. */
const costOfClientsRead = (warehouses: number) => {
  const units = unitsOfSignIn(warehouses);
  return { ms: msOfUnits(units), dollars: units * prices.readUnit };
};

const invocationDollars = (milliseconds: number) =>
  prices.lambdaRequest + (milliseconds / 1_000) * MEMORY_GB * prices.lambdaGbSecond;
const responseDollars = (bytes: number) => ((bytes + RESPONSE_HEADER_BYTES) / GB) * prices.dataOutGb;

type Load = { warehouses: number; batchesPerHour: number; entries: number };

/** A change comes with each batch, and each of the two lists is read once an hour. */
const monthOf = ({ warehouses, batchesPerHour, entries }: Load) => {
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

  /** Requests come at random times. A request needs a new process if no other request came shortly before. */
  const invocation = ({ warm, cold }: Milliseconds, perHour: number) => {
    const coldShare = Math.exp(-perHour * IDLE_HOURS * warehouses);
    return invocationDollars(warm * (1 - coldShare) + cold * coldShare);
  };
  const read = costOfClientsRead(warehouses);
  const readShare = 1 / (1 + (requestsPerHour * warehouses * clientsRead.everySeconds) / 3_600);
  const authorizerMs = {
    warm: AUTHORIZER_MS.warm + readShare * read.ms,
    cold: AUTHORIZER_MS.cold + read.ms,
  };
  /** Every hour, the watch reads one or two batches of each client. AWS bills at most 400 KB of this read. */
  const watchUnits = warehouses * Math.ceil(Math.min(storedBytes, 409_600) / 4_096);
  const watch =
    HOURS_PER_MONTH *
    (invocationDollars(200 + warehouses) + watchUnits * prices.infrequentReadUnit + read.dollars);
  const storedGb = (bytes: number, days: number) => (warehouses * batchesPerHour * 24 * days * bytes) / GB;
  const changes = storedGb(change.storedBytes, DAYS_PER_YEAR);
  const storage = (days: number) =>
    storedGb(storedBytes, days) * (prices.infrequentTableGbMonth + prices.recoveryGbMonth) +
    changes * (prices.tableGbMonth + prices.recoveryGbMonth);

  const requests = {
    'Gateway, and responses to the internet': month(
      (kind) => prices.apiRequest + responseDollars(kind.responseBytes),
    ),
    'Authorizer, and its reads of the clients': month(
      () => invocation(authorizerMs, requestsPerHour) + readShare * read.dollars,
    ),
    'Functions of the operations': month(({ ms, perHour }) => invocation(ms, perHour)),
    'Write and read units of the tables': month(({ units, unitPrice }) => units * unitPrice),
    Logs: month(() => (LOG_BYTES / GB) * LOG_GB),
  };
  const idle = {
    'Watch for late clients': watch,
    Alarms: ALARM_METRICS * prices.alarmMonth,
    'Contributor Insights, two rules': 2 * prices.insightRuleMonth,
  };
  const firstMonth = { ...requests, ...idle };
  const total = (days: number) => sum(Object.values(firstMonth)) + storage(days);
  return {
    ...firstMonth,
    'Tables after a year, with point-in-time recovery': storage(DAYS_PER_YEAR),
    '**Total after a year**': total(DAYS_PER_YEAR),
    '**Total after a year with `snapshotRetentionDays` 90**': total(90),
    '**Idle: no request, nothing stored**': sum(Object.values(idle)),
    'In addition: the setting `firewall`':
      prices.firewallMonth +
      prices.firewallRuleMonth +
      prices.alarmMonth +
      month(() => prices.firewallRequest),
    'In addition: the setting `backup` after a year':
      BACKUP_COPIES * (storedGb(storedBytes, DAYS_PER_YEAR) + changes) * prices.backupGbMonth,
    'In addition: the setting `tracing`': month(() => prices.trace),
    // Two metrics of each client and seven other metrics. Two alarms query the metrics of the clients.
    'In addition: metrics of refused and throttled requests, at most':
      (7 + warehouses * 2) * prices.metricMonth + (warehouses - 1) * 2 * prices.alarmMonth,
  };
};

type Flood = {
  name: string;
  perSecond: number;
  /** Each request has new random credentials, so no cached policy applies. */
  hasCredentials?: true;
  /** The requests go to every method of the API, because each method has its own throttle. */
  isSpread?: true;
  hasFirewall?: true;
  /** The deployment has the setting `tracing`, and a header of each request asks for a trace. */
  isTraced?: true;
  /** The requests come from many addresses, each below the firewall's limit. */
  isDistributed?: true;
};

const FLOODED_WAREHOUSES = 300;

/** Dollars of an hour. The gateway bills neither failed authentication nor a 429. */
const hourOfFlood = ({
  perSecond,
  hasCredentials,
  isSpread,
  hasFirewall,
  isDistributed,
  isTraced,
}: Flood) => {
  const HOUR = 3_600;
  const { ratePerSecond } = parseSettings({}).throttle;
  const blockedAfter = hasFirewall && !isDistributed ? FIREWALL_SECONDS : HOUR;
  const admitted = Math.min(perSecond, isSpread ? METHODS * ratePerSecond : ratePerSecond) * blockedAfter;
  const authorizerCalls = hasCredentials ? admitted : 0;
  // The average of busy processes, doubled for peaks. After a mismatch, each process reads the table again.
  const processes = Math.ceil((authorizerCalls / HOUR) * (AUTHORIZER_MS.warm / 1_000)) * 2;
  const reads = (processes * HOUR) / clientsRead.afterMismatchEverySeconds;
  const requests = perSecond * HOUR;
  const logBytes = requests * REFUSAL_LOG_BYTES + authorizerCalls * AUTHORIZER_LOG_BYTES;
  return (
    authorizerCalls * invocationDollars(AUTHORIZER_MS.warm) +
    reads * costOfClientsRead(FLOODED_WAREHOUSES).dollars +
    (logBytes / GB) * LOG_GB +
    requests * responseDollars(REFUSAL_BYTES) +
    admitted * (isTraced ? prices.trace : 0) +
    (hasFirewall ? requests * prices.firewallRequest : 0)
  );
};

const guesses = { name: 'Random credentials', hasCredentials: true } as const;
const floods: readonly Flood[] = [
  { name: 'No credentials', perSecond: 100 },
  { ...guesses, perSecond: 100 },
  { name: 'No credentials', perSecond: 10_000 },
  { ...guesses, perSecond: 10_000 },
  { name: 'The same wrong credentials again and again', perSecond: 10_000 },
  { ...guesses, name: 'Random credentials with the firewall', perSecond: 10_000, hasFirewall: true },
  {
    ...guesses,
    name: 'Random credentials from many addresses with the firewall',
    perSecond: 10_000,
    hasFirewall: true,
    isDistributed: true,
  },
  { ...guesses, name: 'Random credentials to every operation', perSecond: 10_000, isSpread: true },
  {
    ...guesses,
    name: 'Random credentials to every operation with `tracing`',
    perSecond: 10_000,
    isSpread: true,
    isTraced: true,
  },
];

/** A client that uses its limits: each second a batch of the most entries, and otherwise lists of 1,000 codes. */
const hourOfClientAtItsLimits = () => {
  const [standard] = parseSettings({}).plans;
  const { rate = 0, batches: { rate: batchRate } = { rate: 0 } } = standard ?? {};
  const { units, ms } = findBatch(40_000);
  const batch = invocationDollars(ms.warm) + units * prices.infrequentWriteUnit;
  const read =
    invocationDollars(list.ms.warm) + list.units * prices.readUnit + responseDollars(list.responseBytes);
  const perRequest = prices.apiRequest + (LOG_BYTES / GB) * LOG_GB;
  return 3_600 * (batchRate * batch + (rate - batchRate) * read + rate * perRequest);
};

const floodsTable = () =>
  numbersTable(
    ['Flood', 'Requests a second', 'Dollars an hour'],
    [
      ...floods.map((flood) => [
        flood.name,
        formatNumber(flood.perSecond),
        formatNumber(hourOfFlood(flood), 2),
      ]),
      ['A client at its limits', '10', formatNumber(hourOfClientAtItsLimits(), 2)],
    ],
  );

/** Each warehouse sends a batch and a change and reads both lists in the same second, and each request needs a new process. */
const rushOf = (count: number, entries: number) => {
  const batch = findBatch(entries);
  const executions = (requests: number, ms: number) => Math.ceil((requests * ms) / 1_000);
  const authorizer = executions(count * 4, AUTHORIZER_MS.cold + costOfClientsRead(count).ms);
  const balances = executions(count, batch.ms.cold);
  const others = executions(count, change.ms.cold) + 2 * executions(count, list.ms.cold);
  return {
    'Executions of functions at once': authorizer + balances + others,
    'Requests a second to the account': count * 4,
    'Requests at once to an operation': count,
    'Write units a second of a new table': count * batch.units,
    'Read units a second of a list': count * list.units,
    'Reserve for `authorizer`': 2 * authorizer,
    'Reserve for `balances`': 2 * balances,
  };
};

/** The quotas that AWS documents. An account can have others. */
const AWS_DEFAULTS = [
  '1,000; 10 in some new accounts',
  '10,000; 2,500 in some regions',
  '2,000',
  '4,000',
  '12,000',
];

const rushTable = () => {
  const rushes = [rushOf(10, 200), rushOf(30, 200), rushOf(300, 200), rushOf(30, 40_000)];
  const rows = Object.keys(rushes[0] ?? {}).map((label, index) => [
    label,
    AWS_DEFAULTS[index] ?? '–',
    ...rushes.map((rush) => formatNumber(new Map(Object.entries(rush)).get(label) ?? 0)),
  ]);
  const heads = ['10 warehouses', '30 warehouses', '300 warehouses', '30 with 40,000 entries'];
  return numbersTable(['In the same second', 'AWS allows', ...heads], rows);
};

type Reads = Awaited<ReturnType<typeof measureReads>>;

const readsTable = ({ clients, short, long }: Reads) => {
  const rows = [
    ...[...clients].map(
      ([count, read]) => [`the clients, if there are ${formatNumber(count)}`, read] as const,
    ),
    ['a list of 1,000 rows', short.scan] as const,
    ['a list of 10,000 rows', long.scan] as const,
    ['a packed copy of this list in one partition', long.copy] as const,
  ].map(([label, { units, ms }]) => [label, formatNumber(units, 1), formatNumber(ms)]);
  return numbersTable(['One read of', 'Read units', 'ms on the local run'], rows);
};

const momentTable = (listUnits: number) => {
  const sendBatch = { ...findBatch(200), unitsPerSecond: 4_000 };
  const readList = { ms: list.ms, units: listUnits, unitsPerSecond: NEW_TABLE_READS };
  const warm = { readUnitsPerSecond: 40_000 };
  const cases: [label: string, counts: readonly number[], more: Partial<Rush>][] = [
    ['a change', [30, 300, 1_000, 2_000], {}],
    ['– with `warmThroughput` 40,000 of Clients', [1_000, 2_000], warm],
    ['– with 3,000 executions', [2_000], { executions: 3_000 }],
    ['– with 10 executions', [30, 300], { executions: 10 }],
    ['– spread over a second', [2_000], { withinSeconds: 1 }],
    ['– spread over a minute', [2_000], { withinSeconds: 60 }],
    ['a batch of 200 entries', [300, 1_000, 2_000], { operation: sendBatch }],
    ['a request for a list of 10,000 rows', [300, 1_000, 2_000], { operation: readList }],
    ['– spread over a minute', [2_000], { operation: readList, withinSeconds: 60 }],
  ];
  const rows = cases.flatMap(([label, counts, more]) =>
    counts.map((clients, index) => {
      const usual = { executions: USUAL_EXECUTIONS, readUnitsPerSecond: NEW_TABLE_READS };
      const rush = simulateRush({ clients, withinSeconds: MOMENT_SECONDS, ...usual, ...more });
      return [
        index === 0 ? label : '',
        ...[clients, rush.servedAtFirst, rush.with503, rush.with500].map((count) => formatNumber(count)),
        formatNumber(rush.lastAfterSeconds, 1),
        formatNumber(clients - rush.served),
      ];
    }),
  );
  const heads = [
    'Each sends',
    'Clients',
    'Served at first',
    '503',
    '500',
    'Last served after, s',
    'Not served',
  ];
  return numbersTable(heads, rows);
};

const PAGE = new URL('../docs/costs.md', import.meta.url);
const ADMIN_PAGE = new URL('../docs/costs-of-admins.md', import.meta.url);

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

/** The tables of docs/costs.md that need no measurement. */
export const computedTables = () => {
  const loads = [1, 30, 300, 1_000].map((warehouses) => ({ warehouses, batchesPerHour: 4, entries: 200 }));
  const heads = loads.map(
    ({ warehouses }) => `${formatNumber(warehouses)} warehouse${warehouses > 1 ? 's' : ''}`,
  );
  return {
    'costs:month': monthTable(heads, loads),
    'costs:floods': floodsTable(),
    'costs:batches': batchesTable(30),
    'costs:rush': rushTable(),
  };
};

/** What was measured, for more warehouses and a longer time. Each batch takes the same. */
const firstReadTable = (days: number, measured: FirstRead) => {
  const { warehouses } = FIRST_READ_SIZE;
  const ofSize = (name: string, count: number, ofDays: number) => {
    const times = (count * ofDays) / (warehouses * days);
    const { readUnits, bytes } = measured;
    const dollars = times * (readUnits * prices.infrequentReadUnit + (bytes / GB) * prices.dataOutGb);
    const figures = {
      Batches: formatNumber(times * measured.batches),
      'Read units': formatNumber(times * readUnits),
      'GB sent': formatNumber((times * bytes) / GB, 1),
      Dollars: formatNumber(dollars, 2),
      'Minutes of processor time': formatNumber((times * measured.processorSeconds) / 60),
      'File, GB': formatNumber((times * measured.fileMb) / 1_000, 1),
    };
    return { name, figures };
  };
  const columns = [
    ofSize(`${warehouses} warehouses, ${days} days`, warehouses, days),
    ofSize('300 warehouses, 31 days', 300, 31),
    ofSize('300 warehouses, a year', 300, DAYS_PER_YEAR),
  ];
  const labels = Object.keys(columns[0]?.figures ?? {});
  const cells = columns.map(({ figures }) => new Map(Object.entries(figures)));
  return numbersTable(
    ['', ...columns.map(({ name }) => name)],
    labels.map((label) => [label, ...cells.map((column) => column.get(label) ?? '')]),
  );
};

/** A month in which an admin changes lists so often. AdminRecords keeps each change for the default time. */
const historyTable = ({ allRows, oneImport, oneEdit }: History) => {
  const { recordRetentionDays } = parseSettings({});
  const daysPerMonth = HOURS_PER_MONTH / 24;
  const rowOf = (label: string, times: number, { readUnits, writeUnits, storedBytes }: HistoryFigures) => {
    const kept = (times / daysPerMonth) * recordRetentionDays * storedBytes;
    const calls = times * (writeUnits * prices.writeUnit + readUnits * prices.readUnit);
    const dollars = calls + (kept / GB) * (prices.tableGbMonth + prices.recoveryGbMonth);
    const units = [writeUnits, readUnits].map((number) => formatNumber(times * number));
    return [label, ...units, formatNumber(kept / GB, 2), formatNumber(dollars, 2)];
  };
  return numbersTable(
    ['Changed rows', 'Write units', 'Read units', `GB after ${recordRetentionDays} days`, 'Dollars a month'],
    [
      rowOf('2,000 a day, in one import', daysPerMonth, oneImport),
      rowOf('2,000 a day, in 20 edits', 20 * daysPerMonth, oneEdit),
      rowOf('all of both lists, once a month', 1, allRows),
    ],
  );
};

const main = async () => {
  const { warehouses, batchesPerHour, entries, firstRead, history } = new Command('npm run costs --')
    .description('Prints the costs of a month. Without --warehouses, writes the tables of docs/costs.md.')
    .option('--warehouses <count>', 'how many warehouses', positiveNumber)
    .option('--batches-per-hour <count>', 'batches of each warehouse in an hour', positiveNumber, 4)
    .addOption(
      new Option('--entries <count>', 'entries of each batch')
        .choices([...batches.keys()].map(String))
        .default('200'),
    )
    .option(
      '--first-read <days>',
      'measures the first read of so many days, which takes minutes for each day; with --warehouses, changes no page',
      positiveNumber,
    )
    .option('--history', 'measures what the history of the lists costs, which takes minutes')
    .parse()
    .opts();
  if (firstRead) {
    const measured = await measureFirstRead(firstRead, warehouses);
    process.stdout.write(`${JSON.stringify(measured)}\n`);
    if (warehouses === undefined)
      writeSections(ADMIN_PAGE, { 'costs:first-read': firstReadTable(firstRead, measured) });
  } else if (history) {
    writeSections(ADMIN_PAGE, { 'costs:history': historyTable(await measureHistory()) });
  } else if (warehouses) {
    const load = { warehouses, batchesPerHour, entries: Number(entries) };
    process.stdout.write(`${monthTable([`${warehouses} warehouses`], [load])}\n`);
  } else {
    if (breakEvenDays(200) !== INFREQUENT_FROM_DAYS)
      throw new Error(`INFREQUENT_FROM_DAYS in infra/data/tables.ts should be ${breakEvenDays(200)}.`);
    const reads = await measureReads();
    const isOld =
      reads.short.scan.units !== list.units ||
      [...reads.clients].some(([count, { units }]) => units !== unitsOfSignIn(count));
    if (isOld) throw new Error(`Correct the units of reads: ${readsTable(reads)}`);
    writeSections(PAGE, {
      ...computedTables(),
      'costs:reads': readsTable(reads),
      'costs:moment': momentTable(reads.long.scan.units),
    });
  }
};

if (import.meta.main) await main();
