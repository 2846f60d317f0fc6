import { priceList } from '../../infra/monitoring/price-list.ts';
import { type MetricName, metricDimensions } from '../../shared/metrics.ts';
import { operations } from '../../shared/operations.ts';
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

const requestsPerHour = hourOfWarehouse.reduce((sum, { perHour }) => sum + perHour, 0);
/** All charges for the requests of one deployment in a month. */
const requestCharges = (model: Model, clients: number): Charge[] =>
  hourOfWarehouse.flatMap(({ name, perHour }) => {
    const cold = { authorizer: coldShare(clients * requestsPerHour), function: coldShare(clients * perHour) };
    const requests = clients * perHour * hoursPerMonth;
    return chargesOf(model, name, cold).map((charge) => ({ ...charge, amount: charge.amount * requests }));
  });

const DAYS_PER_YEAR = 365;

/** What the tables of one deployment hold after a year. */
const storedGb = (model: Model, clients: number, snapshotDays: number) => {
  const bytesOf = (name: string) => {
    const { itemBytes, items } = findRequest(model, name);
    return items * storedBytes(itemBytes / items);
  };
  const snapshots = bytesOf(BATCH) * batchesPerHour * 24 * snapshotDays;
  const changes = bytesOf('change') * changesPerHour * 24 * DAYS_PER_YEAR;
  return (clients * (snapshots + changes) + bytesOf(CODES) + bytesOf(ORDERS)) / GB;
};

/** Between the templates for one client and for a full deployment, everything grows evenly. */
const standingFor = ({ deployment }: Model, clients: number) => {
  const { one, full } = deployment.standing;
  return (part: keyof Standing) =>
    one[part] + ((full[part] - one[part]) / (clientsPerDeployment - 1)) * (clients - 1);
};

/** A deployment reports these metrics in each hour. The others appear only when something is refused. */
const hourlyMetrics: readonly string[] = ['Snapshots'] satisfies MetricName[];
/** Any request can be throttled, but only a body is refused. */
const operationsOf = (metric: string) =>
  Object.values(operations).filter(({ method }) => metric === 'ThrottledRequests' || method === 'POST')
    .length;

/** CloudWatch counts a metric once for each combination of its dimensions. */
const countMetrics = (isHourly: boolean, clients: number) =>
  Object.entries(metricDimensions)
    .filter(([name]) => hourlyMetrics.includes(name) === isHourly)
    .flatMap(([name, dimensions]) =>
      dimensions.map(
        (fields) =>
          (fields.includes('client') ? clients : 1) * (fields.includes('operation') ? operationsOf(name) : 1),
      ),
    )
    .reduce((sum, metrics) => sum + metrics, 0);

const countRefusalMetrics = (model: Model, clients: number) => {
  const standing = standingFor(model, clients);
  return (
    countMetrics(false, clients) +
    standing('clientFilters') * clients +
    standing('statusFilters') * assumptions.errorStatuses
  );
};

const payerLabels: Record<Payer, string> = {
  Gateway: 'Gateway, and responses to the internet',
  Authorizer: 'Authorizer, and its reads of secrets',
  Function: 'Functions of the operations',
  Table: 'Write and read units of the tables',
  Logs: 'Logs, written and stored',
  Traces: 'Traces',
};

const tableGbMonth = prices.tableGbMonth + prices.pitrGbMonth;

const deploymentRows = (model: Model, clients: number) => {
  const charges = requestCharges(model, clients);
  const standing = standingFor(model, clients);
  return [
    ...payers.map((payer) => ({ label: payerLabels[payer], dollars: costFor(charges, payer) })),
    { label: 'Secrets', dollars: standing('secrets') * prices.secretMonth },
    { label: 'Alarms', dollars: standing('alarms') * prices.alarmMonth },
    { label: 'Custom metrics', dollars: countMetrics(true, clients) * prices.metricMonth },
    {
      label: 'Contributor Insights for throttled keys',
      dollars: standing('insightRules') * prices.insightRuleMonth,
    },
    { label: 'Dashboard', dollars: standing('dashboards') * prices.dashboardMonth },
    {
      label: 'Tables after a year, with point-in-time recovery',
      dollars: storedGb(model, clients, DAYS_PER_YEAR) * tableGbMonth,
    },
  ];
};

/** A month of warehouses in as few deployments as they need, all of them equally full. */
export const monthOf = (model: Model, warehouses: number, expiryDays: number) => {
  const deployments = Math.ceil(warehouses / clientsPerDeployment);
  const clients = warehouses / deployments;
  const rows = deploymentRows(model, clients).map(({ label, dollars }) => ({
    label,
    dollars: dollars * deployments,
  }));
  const total = rows.reduce((sum, { dollars }) => sum + dollars, 0);
  const storage = (days: number) => storedGb(model, clients, days) * tableGbMonth * deployments;
  const firstMonth = total - storage(DAYS_PER_YEAR);
  const requests = warehouses * requestsPerHour * hoursPerMonth;
  return {
    rows,
    total,
    firstMonth,
    totalWithExpiry: firstMonth + storage(expiryDays),
    requestsDollars: costOf(requestCharges(model, clients)) * deployments,
    refusals: countRefusalMetrics(model, clients) * prices.metricMonth * deployments,
    firewall:
      (prices.firewallMonth + prices.firewallRuleMonth + prices.alarmMonth) * deployments +
      prices.firewallRequest * requests,
  };
};
