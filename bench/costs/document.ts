import { priceList } from '../../infra/monitoring/price-list.ts';
import { count, dollars, numbersTable, percent, significant, textTable } from '../harness/markdown.ts';
import { assumedLines, assumptions } from './assumptions.ts';
import { howToCheck, pricesTable } from './document-prices.ts';
import { atOnceSection } from './document-rush.ts';
import { batchInWords, batchLooks, millionTable, unitsTable } from './document-units.ts';
import type { Measured } from './measured.ts';
import { monthOf, ownMetrics, refusalMetrics, requestCharges } from './month.ts';
import { costOf, type Prices } from './request.ts';

const WAREHOUSES = [1, 30, 300];
const EXPIRY_DAYS = 90;

const monthTable = (measured: Measured, prices: Prices) => {
  const months = WAREHOUSES.map((warehouses) => monthOf(measured, prices, warehouses, EXPIRY_DAYS));
  const names = months[0]?.rows.map(({ name }) => name) ?? [];
  const row = (name: string, of: (month: (typeof months)[number], index: number) => number) => [
    name,
    ...months.map((month, index) => dollars(of(month, index))),
  ];
  return numbersTable(
    ['Dollars a month', ...WAREHOUSES.map((each) => (each === 1 ? '1 warehouse' : `${each} warehouses`))],
    [
      ...names.map((name, index) => row(name, ({ rows }) => rows[index]?.dollars ?? 0)),
      row('**All of it, after a year**', ({ total }) => total),
      row('A warehouse, after a year', ({ total }, index) => total / (WAREHOUSES[index] ?? 1)),
      row(
        `All of it with \`snapshotRetentionDays\` ${EXPIRY_DAYS}`,
        ({ totalWithExpiry }) => totalWithExpiry,
      ),
      row('All of it in the first month', ({ firstMonth }) => firstMonth),
    ],
  );
};

const FULL = assumptions.clientsPerDeployment.value;

const whatItIsFor = (measured: Measured, prices: Prices) => {
  const { rows, total, requests } = monthOf(measured, prices, FULL, EXPIRY_DAYS);
  const [largest, second] = rows.toSorted((one, other) => other.dollars - one.dollars);
  const share = (row?: { dollars: number }) => percent((row?.dollars ?? 0) / total);
  const forRequests = costOf(requestCharges(measured, FULL), prices);
  const refusals = refusalMetrics(measured, FULL);
  return `Of a full deployment of ${FULL}, the most goes to ${quoted(largest?.name)} (${share(largest)}) and ${quoted(second?.name)} (${share(second)}); all its
${count(requests)} requests together are ${percent(forRequests / total)}. It has ${count(measured.standing.full.alarms)} alarms and ${count(ownMetrics(measured, FULL))} metrics that something is reported to in every hour. ${count(refusals)} more are charged for hours in which
something is refused, at most ${dollars(refusals * prices.metricMonth)}. The optional firewall costs ${dollars(prices.firewallMonth + prices.firewallRuleMonth)}, and ${dollars(prices.firewallRequest * requests)} for the requests.`;
};

const quoted = (name = '') => `"${name.toLowerCase()}"`;

/** docs/costs.md, whole. */
export const documentOf = (measured: Measured): string => {
  const { prices, region, date } = priceList;
  const { machine } = measured;
  const entries = count(assumptions.batchEntries.value);
  const looks = batchLooks(measured);
  return `# What it costs, and how much it bears

Computed, not billed: nobody has compared this with an invoice. \`npm run costs\` writes this page from [costs.measured.json](costs.measured.json),
from the prices in [price-list.ts](../infra/monitoring/price-list.ts) (${region}, ${date}, dollars; without taxes, free tiers and rebates for
large amounts) and from what is [assumed](#assumed). \`npm run costs -- --measure\` measures anew before that.

## A month

By \`npm run costs\`. Each warehouse sends a batch of ${entries} entries and a change every ${count(60 / assumptions.batchesPerHour.value)} minutes and reads both lists once an hour.
More than ${FULL} warehouses are more deployments. Tables are as full as after a year.

${monthTable(measured, prices)}

${whatItIsFor(measured, prices)}

Not in it: e-mails of alarms (${significant(prices.emailNotification * 1_000)} a thousand), exports, a domain, what the admin's commands read, the bucket of the deployments, support.

## A million requests

By \`npm run costs\`, in dollars: by processes that have served before, with a call of the authorizer for each (its answer is kept for ${measured.settings.authorizerCacheSeconds} s, so
only requests in quick succession save it), answers that nobody asked to be compressed, and logs kept for ${measured.settings.logRetentionDays} days. What they leave in
tables is the month's.

${millionTable(measured, prices)}

${batchInWords(measured, prices)}

## Measured

By \`npm run costs -- --measure\`, ${measured.date}, ${machine.cores} cores (${machine.processor}), Node ${machine.node.slice(1)}: the bundles that are deployed, each in a process of its own, against the
engine of the tests. The processor's time is the median of requests to a process that has served some. Billed is the whole time that the
platform would count, waiting included, without and with the start of a process. Units are counted by DynamoDB's rules, one for each KB that is
written of an item and for each 4 KB that is read of each segment of a list; in brackets what the engine says where it says something
else. It says nothing of a change that is there already, which DynamoDB charges, and counts large items a few bytes shorter.

Entries of a batch are like \`${looks.example}\`,
with ${looks.orders} orders on average: ${looks.bytes} bytes each. Batches of 21 KB, of which other pages speak, have shorter codes or fewer orders.

${unitsTable(measured)}

## All at once

${atOnceSection(measured)}

## Assumed

${textTable(['Assumed', 'Which is'], assumedLines())}

## Prices

${pricesTable()}

${howToCheck()}
`;
};
