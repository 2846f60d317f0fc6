import { priceList } from '../../infra/monitoring/price-list.ts';
import { type MetricName, metricDimensions } from '../../shared/metrics.ts';
import { operationNames } from '../../shared/operations.ts';
import { storedBytes } from '../measure/dynamodb-rules.ts';
import { assumptions } from './assumptions.ts';
import type { Standing } from './deployment.ts';
import {
  batchName,
  type Charge,
  chargesOf,
  coldShare,
  costFor,
  costOf,
  findRequest,
  GB,
  type Model,
  type Payer,
  payers,
} from './request.ts';

/** The dollars of a month. */

const { prices } = priceList;
const { batchesPerHour, changesPerHour, clientsPerDeployment, hoursPerMonth, listReadsPerHour } = assumptions;

const BATCH = batchName(200);
const CODES = '1,000 material codes';
const ORDERS = '1,000 purchase orders';

/** What a warehouse sends in an hour. */
export const hourOfWarehouse = [
  { name: BATCH, perHour: batchesPerHour },
  { name: 'change', perHour: changesPerHour },
  { name: CODES, perHour: listReadsPerHour },
  { name: ORDERS, perHour: listReadsPerHour },
];

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const requestsPerHour = sum(hourOfWarehouse.map(({ perHour }) => perHour));
/** All charges for the requests of one deployment in a month. */
const requestCharges = (model: Model, clients: number): Charge[] =>
  hourOfWarehouse.flatMap(({ name, perHour }) => {
    const cold = { authorizer: coldShare(clients * requestsPerHour), function: coldShare(clients * perHour) };
    const requests = clients * perHour * hoursPerMonth;
    return chargesOf(model, name, cold).map((charge) => ({ ...charge, amount: charge.amount * requests }));
  });

const DAYS_PER_YEAR = 365;

type MeasuredOnly = Pick<Model, 'measured'>;

export const storedGbOf = (model: MeasuredOnly, name: string) => {
  const { itemBytes, items } = findRequest(model, name);
  return (items * storedBytes(itemBytes / items)) / GB;
};

/** From how many days of keeping on a batch is cheaper in Standard-IA. */
export const breakEvenDays = (model: MeasuredOnly, entries: number) => {
  const name = batchName(entries);
  const dearerWrites = findRequest(model, name).writeUnits * (prices.infrequentWriteUnit - prices.writeUnit);
  const savedPerMonth = storedGbOf(model, name) * (prices.tableGbMonth - prices.infrequentTableGbMonth);
  return ((dearerWrites / savedPerMonth) * hoursPerMonth) / 24;
};

/** What the tables of one deployment hold: the snapshots after these days, and the others after a year. */
const storedGb = (model: Model, clients: number, snapshotDays: number) => ({
  snapshots: clients * storedGbOf(model, BATCH) * batchesPerHour * 24 * snapshotDays,
  others:
    clients * storedGbOf(model, 'change') * changesPerHour * 24 * DAYS_PER_YEAR +
    storedGbOf(model, CODES) +
    storedGbOf(model, ORDERS),
});

/** With point-in-time recovery. */
export const snapshotGbMonth = ({ deployment }: Model) =>
  prices.pitrGbMonth + prices[deployment.areSnapshotsInfrequent ? 'infrequentTableGbMonth' : 'tableGbMonth'];

const storageDollars = (model: Model, clients: number, snapshotDays: number) => {
  const { snapshots, others } = storedGb(model, clients, snapshotDays);
  return snapshots * snapshotGbMonth(model) + others * (prices.tableGbMonth + prices.pitrGbMonth);
};

/** Between the templates for one client and for a full deployment, everything grows evenly. */
const standingFor = ({ deployment }: Model, clients: number) => {
  const { one, full } = deployment.standing;
  return (part: keyof Standing) =>
    one[part] + ((full[part] - one[part]) / (clientsPerDeployment - 1)) * (clients - 1);
};

/** A deployment reports these metrics in each hour. The others appear only when something is refused. */
const hourlyMetrics: readonly string[] = ['Snapshots'] satisfies MetricName[];

/** CloudWatch counts a metric once for each combination of its dimensions. */
const countMetrics = (isHourly: boolean, clients: number) =>
  Object.entries(metricDimensions)
    .filter(([name]) => hourlyMetrics.includes(name) === isHourly)
    .flatMap(([, dimensions]) =>
      dimensions.map(
        (fields) =>
          (fields.includes('client') ? clients : 1) *
          (fields.includes('operation') ? operationNames.length : 1),
      ),
    )
    .reduce((total, metrics) => total + metrics, 0);

/** The metrics, and the alarms' queries over those of all clients. */
const refusalDollars = (model: Model, clients: number) => {
  const standing = standingFor(model, clients);
  const metrics =
    countMetrics(false, clients) + standing('clientFilters') * clients + standing('otherFilters');
  return metrics * prices.metricMonth + standing('queryAlarms') * (clients - 1) * prices.alarmMonth;
};

/** Each backup is a full copy. A table grows evenly, so that a backup is smaller the older it is. */
const backupDollars = (model: Model, clients: number) => {
  const { snapshots, others } = storedGb(model, clients, DAYS_PER_YEAR);
  const { backupDays, backupMonths } = assumptions;
  const daily = Array.from({ length: backupDays }, (_, day) => 1 - day / DAYS_PER_YEAR);
  const monthly = Array.from({ length: backupMonths }, (_, month) => 1 - month / 12);
  return sum([...daily, ...monthly]) * (snapshots + others) * prices.backupGbMonth;
};

const payerLabels: Record<Payer, string> = {
  Gateway: 'Gateway, and responses to the internet',
  Authorizer: 'Authorizer, and its reads of secrets',
  Function: 'Functions of the operations',
  Table: 'Write and read units of the tables',
  Logs: 'Logs, written and stored',
  Traces: 'Traces',
};

/** What a deployment costs without a request and with empty tables. */
const idleRows = (model: Model, clients: number) => {
  const standing = standingFor(model, clients);
  return [
    { label: 'Secrets', dollars: standing('secrets') * prices.secretMonth },
    { label: 'Alarms', dollars: standing('alarms') * prices.alarmMonth },
    {
      label: 'Contributor Insights for throttled keys',
      dollars: standing('insightRules') * prices.insightRuleMonth,
    },
  ];
};

const deploymentRows = (model: Model, clients: number) => {
  const charges = requestCharges(model, clients);
  return [
    ...payers.map((payer) => ({ label: payerLabels[payer], dollars: costFor(charges, payer) })),
    ...idleRows(model, clients),
    { label: 'Custom metrics', dollars: countMetrics(true, clients) * prices.metricMonth },
    {
      label: 'Tables after a year, with point-in-time recovery',
      dollars: storageDollars(model, clients, DAYS_PER_YEAR),
    },
  ];
};

const sumOf = (rows: readonly { dollars: number }[]) => sum(rows.map(({ dollars }) => dollars));

/** A month of warehouses in as few deployments as they need, all of them equally full. */
export const monthOf = (model: Model, warehouses: number, expiryDays: number) => {
  const deployments = Math.ceil(warehouses / clientsPerDeployment);
  const clients = warehouses / deployments;
  const rows = deploymentRows(model, clients).map(({ label, dollars }) => ({
    label,
    dollars: dollars * deployments,
  }));
  const total = sumOf(rows);
  const storage = (days: number) => storageDollars(model, clients, days) * deployments;
  const firstMonth = total - storage(DAYS_PER_YEAR);
  const requests = warehouses * requestsPerHour * hoursPerMonth;
  return {
    rows,
    total,
    idle: sumOf(idleRows(model, clients)) * deployments,
    firstMonth,
    totalWithExpiry: firstMonth + storage(expiryDays),
    requestsDollars: costOf(requestCharges(model, clients)) * deployments,
    refusals: refusalDollars(model, clients) * deployments,
    dashboard: prices.dashboardMonth * deployments,
    backup: backupDollars(model, clients) * deployments,
    firewall:
      (prices.firewallMonth + prices.firewallRuleMonth + prices.alarmMonth) * deployments +
      prices.firewallRequest * requests,
  };
};
