import { count, dollars, numbersTable, percent, significant, textTable } from '../markdown.ts';
import { concurrencies, firstLimitMet, limits, type Rush, timesWithin } from './all-at-once.ts';
import { assumptions } from './assumptions.ts';
import { floods, hourOf, keptFromClient } from './floods.ts';
import { breakEvenDays, monthOf } from './month.ts';
import {
  authorizerMs,
  type BilledMs,
  chargesOf,
  costFor,
  costOf,
  logBytesOf,
  type Model,
  payers,
  requestMs,
} from './request.ts';

/** The tables of docs/costs.md and docs/capacity.md. */

const { backupDays, backupMonths } = assumptions;
const WAREHOUSES = [1, 30, 300];
const EXPIRY_DAYS = 90;
const MILLION = 1_000_000;

const monthsOf = (model: Model) =>
  WAREHOUSES.map((warehouses) => ({ warehouses, ...monthOf(model, warehouses, EXPIRY_DAYS) }));
type Month = ReturnType<typeof monthsOf>[number];

const table = (
  title: string,
  months: readonly Month[],
  rows: readonly [string, (month: Month) => number][],
) =>
  numbersTable(
    [title, '1 warehouse', ...WAREHOUSES.slice(1).map((warehouses) => `${warehouses} warehouses`)],
    rows.map(([label, amountOf]) => [label, ...months.map((month) => dollars(amountOf(month)))]),
  );

const monthTable = (months: readonly Month[]) =>
  table('Dollars a month', months, [
    ...(months[0]?.rows ?? []).map(({ label }, index): [string, (month: Month) => number] => [
      label,
      ({ rows }) => rows[index]?.dollars ?? 0,
    ]),
    ['**Total after a year**', ({ total }) => total],
  ]);

const totalsTable = (months: readonly Month[]) =>
  table('Other totals', months, [
    ['Idle: no request, nothing stored', ({ idle }) => idle],
    ['First month', ({ firstMonth }) => firstMonth],
    [`After a year with \`snapshotRetentionDays\` ${EXPIRY_DAYS}`, ({ totalWithExpiry }) => totalWithExpiry],
    ['After a year, for each warehouse', ({ total, warehouses }) => total / warehouses],
    ['After a year, for requests alone', ({ requestsDollars }) => requestsDollars],
  ]);

const extrasTable = (months: readonly Month[]) =>
  table('In addition', months, [
    ['The setting `firewall`', ({ firewall }) => firewall],
    ['The setting `dashboard`', ({ dashboard }) => dashboard],
    [
      `The setting \`backup\` after a year: ${backupDays} daily and ${backupMonths} monthly copies`,
      ({ backup }) => backup,
    ],
    ['Metrics of refused and throttled requests, at most', ({ refusals }) => refusals],
  ]);

const WARM = { authorizer: 0, function: 0 };

const millionTable = (model: Model) =>
  numbersTable(
    ['A million of', ...payers, 'Total'],
    Object.keys(model.measured.requests).map((name) => {
      const charges = chargesOf(model, name, WARM);
      const costs = [...payers.map((payer) => costFor(charges, payer)), costOf(charges)];
      return [name, ...costs.map((cost) => dollars(cost * MILLION))];
    }),
  );

const millisecondsOf = (cpuMs: number, { warm, cold }: BilledMs) => [
  significant(cpuMs),
  count(warm),
  count(cold),
];

const unitsTable = (model: Model) => {
  const rows = Object.entries(model.measured.requests).map(([name, request]) => [
    name,
    ...millisecondsOf(request.cpuMs, requestMs(model, name)),
    ...[request.requestBytes, request.answerBytes, request.itemBytes].map((bytes) => count(bytes)),
    request.writeUnits > 0 ? `${count(request.writeUnits)} write` : `${count(request.readUnits)} read`,
    count(logBytesOf(model, request)),
  ]);
  const { cpuMs, secretReads } = model.measured.authorizer;
  const authorizer = millisecondsOf(cpuMs, authorizerMs(model));
  const { date, machine } = model.measured;
  const table = numbersTable(
    [
      'Request',
      'CPU, ms',
      'Billed, ms',
      'with start, ms',
      'Request, bytes',
      'Response, bytes',
      'In table, bytes',
      'Units',
      'Logs, bytes',
    ],
    [...rows, ['authorizer', ...authorizer, '–', '–', '–', `${secretReads} secret`, '–']],
  );
  return `${table}\n\nMeasured on ${date}, ${machine}.`;
};

const rushes: readonly Rush[] = [
  { warehouses: 30, seconds: 60, entries: 200 },
  { warehouses: 30, seconds: 1, entries: 200 },
  { warehouses: 300, seconds: 60, entries: 200 },
  { warehouses: 300, seconds: 1, entries: 200 },
  { warehouses: 30, seconds: 60, entries: 40_000 },
  { warehouses: 30, seconds: 1, entries: 40_000 },
];

const spanName = ({ seconds, entries }: Pick<Rush, 'seconds' | 'entries'>) =>
  `in a ${seconds === 1 ? 'second' : 'minute'}${entries === 200 ? '' : ', large'}`;

const formatTimes = (times: number) => (times < 1 ? `**${significant(times)}×**` : `${significant(times)}×`);

const firstLimitRow = (model: Model) => [
  '**Met first**',
  '',
  ...rushes.map((rush) => {
    const { what, times } = firstLimitMet(model, rush);
    return `${what} (${formatTimes(times)})`;
  }),
  '',
];

const limitTable = (model: Model) =>
  textTable(
    ['Limit', 'Allows', ...rushes.map((rush) => `${rush.warehouses} ${spanName(rush)}`), 'Raise with'],
    [
      ...limits.map((limit) => {
        const [lasting, atOnce] = [limit.allows(60, model), limit.allows(1, model)];
        return [
          limit.what,
          lasting === atOnce ? count(lasting) : `${count(lasting)}; ${count(atOnce)} at once`,
          ...rushes.map(
            (rush) =>
              `${significant(limit.needs(model, rush), 3)} (${formatTimes(timesWithin(limit, model, rush))})`,
          ),
          limit.raise,
        ];
      }),
      firstLimitRow(model),
    ],
  );

/** A function that has used up its reservation refuses requests, and Secrets Manager and tables are slow at times. */
const HEADROOM = 2;

/** The values for the setting `reservedConcurrency`. */
const reservations = [
  { setting: 'authorizer', seconds: 60, entries: 200 },
  { setting: 'balances', seconds: 60, entries: 200 },
  { setting: 'authorizer', seconds: 1, entries: 200 },
  { setting: 'balances', seconds: 1, entries: 200 },
  { setting: 'balances', seconds: 1, entries: 40_000 },
];

const concurrencyTable = (model: Model) =>
  numbersTable(
    ['Warehouses', ...reservations.map((column) => `\`${column.setting}\`, ${spanName(column)}`)],
    [1, 5, 10, 20, 30].map((warehouses) => [
      count(warehouses),
      ...reservations.map(({ setting, ...rush }) => {
        const [authorizer = 0, balances = 0] = concurrencies(model, { warehouses, ...rush }, warehouses);
        return count(HEADROOM * (setting === 'authorizer' ? authorizer : balances));
      }),
    ]),
  );

const classTable = (model: Model) =>
  numbersTable(
    ['Entries of a batch', 'Standard-IA is cheaper if stored for at least'],
    [1, 200, 4_000, 40_000].map((entries) => [
      count(entries),
      `${count(Math.ceil(breakEvenDays(model, entries)))} days`,
    ]),
  );

const formatShare = (share: number) => (share === 0 ? '–' : share < 0.005 ? '< 1 %' : percent(share));

const largestPart = (parts: Record<string, number>) => {
  const [name, amount] = Object.entries(parts).reduce((most, part) => (part[1] > most[1] ? part : most));
  return `${name} ${dollars(amount)}`;
};

const floodRows = (model: Model) =>
  floods.flatMap((flood) =>
    [false, true]
      .filter((hasFirewall) => (hasFirewall ? !flood.isSpread : !flood.isDistributed))
      .map((hasFirewall) => {
        const {
          total,
          dollars: parts,
          authorizers,
          throttled,
          notStarted,
        } = hourOf(model, flood, hasFirewall);
        return [
          flood.what,
          count(flood.perSecond),
          hasFirewall ? 'yes' : 'no',
          dollars(total),
          largestPart(parts),
          count(authorizers),
          ...[throttled, notStarted.usual, notStarted.small].map(formatShare),
        ];
      }),
  );

const floodTable = (model: Model) => {
  const table = numbersTable(
    [
      'Flood',
      'Requests a second',
      'Firewall',
      'Dollars an hour',
      'Largest part',
      'Authorizers at once',
      '429',
      '503, quota 1,000',
      '503, quota 10',
    ],
    floodRows(model),
  );
  const { gb, dollarsPerMonth } = keptFromClient(model);
  return `${table}\n\nAn hour of a client at its limits also leaves ${count(gb, 1)} GB of snapshots, which cost ${dollars(dollarsPerMonth)} a month until they expire.`;
};

/** Every block of docs/costs.md, by the name of its marker. */
export const costBlocks = (model: Model) => {
  const months = monthsOf(model);
  return {
    'costs:month': monthTable(months),
    'costs:totals': totalsTable(months),
    'costs:extras': extrasTable(months),
    'costs:million': millionTable(model),
    'costs:units': unitsTable(model),
    'costs:class': classTable(model),
    'costs:floods': floodTable(model),
  };
};

/** Every block of docs/capacity.md, by the name of its marker. */
export const capacityBlocks = (model: Model) => ({
  'costs:limits': limitTable(model),
  'costs:concurrency': concurrencyTable(model),
});
