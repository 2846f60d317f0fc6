import { storedBytes } from '../harness/rules.ts';
import { assumptions } from './assumptions.ts';
import { coldShare } from './billed.ts';
import type { Measured, Standing } from './measured.ts';
import {
  type Charge,
  chargesOf,
  costBy,
  GB,
  operationOf,
  type Payer,
  type Prices,
  payers,
} from './request.ts';
import { batchName, listName } from './scenarios.ts';

const { clientsPerDeployment, statusesOfErrors, hoursPerMonth } = assumptions;
const HOURS_PER_DAY = 24;
const DAYS_PER_YEAR = 365;

/** What a warehouse asks for, by the name under which it was measured, and how often in an hour. */
export const mix = [
  { name: batchName(assumptions.batchEntries.value), perHour: assumptions.batchesPerHour.value },
  { name: 'change', perHour: assumptions.changesPerHour.value },
  {
    name: listName('material codes', assumptions.listRows.value),
    perHour: assumptions.listReadsPerHour.value,
  },
  {
    name: listName('purchase orders', assumptions.listRows.value),
    perHour: assumptions.listReadsPerHour.value,
  },
];

const requestsPerHour = mix.reduce((sum, { perHour }) => sum + perHour, 0);

/** What the requests of one deployment are charged with in a month. */
export const requestCharges = (measured: Measured, clients: number): Charge[] => {
  const authorizer = coldShare(clients * requestsPerHour);
  return mix.flatMap(({ name, perHour }) => {
    const cold = { authorizer, function: coldShare(clients * perHour) };
    const count = clients * perHour * hoursPerMonth.value;
    return chargesOf(measured, operationOf(measured, name), cold).map((charge) => ({
      ...charge,
      amount: charge.amount * count,
    }));
  });
};

/** GB in the tables of one deployment that has run for a year; without an expiry all snapshots are there. */
export const storedGb = (measured: Measured, clients: number, snapshotDays = DAYS_PER_YEAR) => {
  const bytes = (name: string, perHour: number, days: number) => {
    const { itemBytes, items } = operationOf(measured, name);
    return items * storedBytes(itemBytes / items) * perHour * HOURS_PER_DAY * days;
  };
  const [batch, change, ...lists] = mix.map(({ name }) => name);
  const listed = lists.map((name) => operationOf(measured, name));
  const shared = listed.reduce((sum, { itemBytes, items }) => sum + itemBytes + storedBytes(0) * items, 0);
  const each =
    bytes(batch ?? '', assumptions.batchesPerHour.value, snapshotDays) +
    bytes(change ?? '', assumptions.changesPerHour.value, DAYS_PER_YEAR);
  return (clients * each + shared) / GB;
};

/** Of a deployment with so many clients, by those of one and of a full one. */
const standingFor = ({ one, full }: Measured['standing'], clients: number) => {
  const of = (key: keyof Standing) =>
    one[key] + ((full[key] - one[key]) / (clientsPerDeployment.value - 1)) * (clients - 1);
  return {
    secrets: of('secrets'),
    alarms: of('alarms'),
    dashboards: of('dashboards'),
    clientFilters: of('clientFilters'),
    statusFilters: of('statusFilters'),
  };
};

/** Metrics of one's own that something is reported to in every hour. */
export const ownMetrics = ({ metrics }: Measured, clients: number) =>
  metrics.perDeployment + metrics.perClient * clients;

/** Those that are charged for the hours in which something is refused. */
export const refusalMetrics = ({ metrics, standing }: Measured, clients: number) => {
  const { clientFilters, statusFilters } = standingFor(standing, clients);
  const perClient = metrics.ofRefusalsPerClient + clientFilters;
  return metrics.ofRefusalsPerDeployment + perClient * clients + statusFilters * statusesOfErrors.value;
};

type Month = {
  rows: { name: string; dollars: number }[];
  requests: number;
  total: number;
  totalWithExpiry: number;
  firstMonth: number;
};

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
const rowNames: Record<Payer, string> = {
  Gateway: 'Gateway, and answers to the internet',
  Authorizer: 'Authorizer, and its reads of secrets',
  Function: 'Functions of the operations',
  Table: 'Write and read units of the tables',
  Logs: 'Logs, written and kept',
  Traces: 'Traces',
};

const deploymentMonth = (measured: Measured, prices: Prices, clients: number) => {
  const charges = requestCharges(measured, clients);
  const standing = standingFor(measured.standing, clients);
  const perGb = prices.tableGbMonth + prices.pitrGbMonth;
  const stored = storedGb(measured, clients);
  const rows = [
    ...payers.map((payer) => ({ name: rowNames[payer], dollars: costBy(charges, prices, payer) })),
    { name: 'Secrets', dollars: standing.secrets * prices.secretMonth },
    { name: 'Alarms', dollars: standing.alarms * prices.alarmMonth },
    { name: 'Metrics of its own', dollars: ownMetrics(measured, clients) * prices.metricMonth },
    { name: 'Dashboard', dollars: standing.dashboards * prices.dashboardMonth },
    { name: 'Tables after a year, with point-in-time recovery', dollars: stored * perGb },
  ];
  const total = sum(rows.map(({ dollars }) => dollars));
  return { rows, total, stored, perGb };
};

/** Of so many warehouses, in as many deployments as that takes, each of them as full as the others. */
export const monthOf = (
  measured: Measured,
  prices: Prices,
  warehouses: number,
  expiryDays: number,
): Month => {
  const deployments = Math.ceil(warehouses / clientsPerDeployment.value);
  const clients = warehouses / deployments;
  const { rows, total, stored, perGb } = deploymentMonth(measured, prices, clients);
  const withExpiry = total - (stored - storedGb(measured, clients, expiryDays)) * perGb;
  return {
    rows: rows.map(({ name, dollars }) => ({ name, dollars: dollars * deployments })),
    requests: warehouses * requestsPerHour * hoursPerMonth.value,
    total: total * deployments,
    totalWithExpiry: withExpiry * deployments,
    firstMonth: (total - stored * perGb) * deployments,
  };
};
