import { priceList } from '../../../infra/monitoring/price-list.ts';
import { assumptions } from '../../costs/assumptions.ts';
import { count, dollars, numbersTable } from '../../harness/markdown.ts';
import { OURS, ROWS, SMALL } from '../batch-contestants.ts';
import type { Aim } from '../section.ts';
import type { Measured } from './units.ts';

const AIM = { units: 21, entries: SMALL };

export const document = (measured: Measured) => {
  const rows = withoutTwins(measured).flatMap(({ name, kept }) =>
    kept.map(({ entries, ...counts }) => [
      name,
      ...[entries, counts.calls, counts.items, counts.bytes, counts.units, counts.engineUnits].map((number) =>
        count(number),
      ),
    ]),
  );
  const heads = ['', 'Entries', 'Calls', 'Items', 'Bytes', 'Write units', 'By the engine'];
  return `## What a batch writes

Counted between the function and the table, for one request: bytes and write units by DynamoDB's rules, a unit for each KB of an item that is
begun, and beside them what the engine says it charges.

${numbersTable(heads, rows)}

${agreement(measured)}

${monthTable(measured)}

In return, whoever asks for one material is charged for reading the whole snapshot, where a row would be a unit. But rows are not kept all at once.
`;
};

/** Who writes the very same is one row. */
const withoutTwins = (measured: Measured) =>
  Object.values(Object.groupBy(measured, ({ kept }) => JSON.stringify(kept))).flatMap((twins) => {
    const [first] = twins ?? [];
    const name = (twins ?? []).map((twin) => twin.name).join(', ');
    return first ? [{ ...first, name }] : [];
  });

const unitsOf = (measured: Measured, name: string) => {
  const { kept } = measured.find((each) => each.name === name) ?? {};
  const units = kept?.find(({ entries }) => entries === AIM.entries)?.units;
  if (units === undefined) throw new Error(`${name} was not measured with ${AIM.entries} entries.`);
  return units;
};

export const aims = (measured: Measured): Aim[] => {
  const [ours, rows] = [unitsOf(measured, OURS), unitsOf(measured, ROWS)];
  return [
    {
      what: `Write units of a batch of ${count(AIM.entries)}`,
      set: `at most ${count(AIM.units)}`,
      found: `${count(ours)}, against ${count(rows)} in rows`,
      isMet: ours <= AIM.units,
    },
  ];
};

const agreement = (measured: Measured) => {
  const all = measured.flatMap(({ kept }) => kept);
  const others = all.filter(({ units, engineUnits }) => units !== engineUnits);
  if (others.length === 0) return `The engine charges the same in all ${count(all.length)} cases.`;
  const most = Math.max(...others.map(({ units, engineUnits }) => Math.abs(engineUnits - units)));
  return `In ${count(others.length)} of ${count(all.length)} cases the engine charges other units: ${count(most)} more or less at the most.`;
};

/** What writing costs, and nothing else of a month; docs/costs.md has the rest. */
const monthTable = (measured: Measured) => {
  const batches = assumptions.batchesPerHour.value * assumptions.hoursPerMonth.value;
  const rows = [OURS, ROWS].map((name) => {
    const units = batches * unitsOf(measured, name);
    return [name, count(units), dollars(units * priceList.prices.writeUnit)];
  });
  const heads = [
    `A month of one warehouse: ${count(batches)} batches of ${count(AIM.entries)}`,
    'Write units',
    'Dollars',
  ];
  return `${numbersTable(heads, rows)}

The price is that of [the costs](costs.md), where the rest of a month stands.`;
};
