import type { CatalogRow } from '../../shared/storage/attribute-json.ts';
import { tables } from '../../shared/tables.ts';
import { counted, joinNames } from '../cli/words.ts';
import { compareBy } from '../store/order.ts';
import type { Comparison, Latest } from './comparison.ts';
import { describeDifference } from './describe-difference.ts';
import type { Finding } from './finding.ts';
import { simplifyUnit } from './lookalikes.ts';

/** An admin may have added a unit to the list under these names. */
const UNIT_ATTRIBUTES = ['StockBalanceUnit', 'Unit'];

export const unitFindings = (comparison: Comparison): Finding[] => [
  ...unitsBetweenClients(comparison),
  ...unitsAgainstList(comparison),
  ...lookAlikeUnits(comparison),
];

const finding = (subject: string, client: string, detail: string): Finding => ({
  kind: 'unit-differs',
  client,
  subject,
  detail,
});

const unitsBetweenClients = ({ latest, sent }: Comparison): Finding[] => {
  const shared = latest.flatMap(({ client, entries }) =>
    entries
      .filter(({ MaterialCode }) => sent.get(MaterialCode)?.length !== 1)
      .map(({ MaterialCode: code, StockBalanceUnit: unit }) => ({ code, unit, client })),
  );
  return [...Map.groupBy(shared, ({ code }) => code)].flatMap(([code, uses]) => {
    const units = Map.groupBy(uses, ({ unit }) => unit);
    if (units.size === 1) return [];
    const sources = [...units].map(
      ([unit, uses]) => `"${unit}" from ${joinNames(uses.map(({ client }) => client))}`,
    );
    return [finding(code, '', `Comes in ${joinNames(sources)}. Have all clients send the same unit.`)];
  });
};

const unitsAgainstList = ({ codes, latest }: Comparison): Finding[] => {
  const inList = new Map(codes.map((row) => [row[tables.MaterialCodes.partitionKey], unitOf(row)]));
  return latest.flatMap(({ client, entries }) =>
    entries.flatMap(({ MaterialCode, StockBalanceUnit }) => {
      const listed = inList.get(MaterialCode);
      if (listed === undefined || listed.unit === StockBalanceUnit) return [];
      const detail = `Is in "${StockBalanceUnit}", but ${listed.attribute} is "${listed.unit}" in the list. Correct the wrong unit.`;
      return [finding(MaterialCode, client, detail)];
    }),
  );
};

const unitOf = (row: CatalogRow) => {
  for (const attribute of UNIT_ATTRIBUTES) {
    const unit = row[attribute];
    if (typeof unit === 'string') return { attribute, unit };
  }
  return undefined;
};

type Use = { unit: string; count: number; clients: Set<string>; code: string };

const lookAlikeUnits = ({ latest }: Comparison): Finding[] =>
  [...Map.groupBy(usesIn(latest), ({ unit }) => simplifyUnit(unit)).values()].flatMap(([usual, ...others]) =>
    usual ? others.map((other) => odd(other, usual)) : [],
  );

const odd = ({ unit, count, clients, code }: Use, usual: Use) => {
  const [client = '', ...more] = clients;
  const where = `${counted(count, 'balance')} ${count === 1 ? 'has' : 'have'} it, such as the balance of ${code}`;
  const what = `May be the same unit as "${usual.unit}", which ${counted(usual.count, 'balance')} ${usual.count === 1 ? 'has' : 'have'}`;
  const detail = `${what}: ${describeDifference(unit, usual.unit)}. ${where}. If it is the same, have all clients send one of the two.`;
  return finding(unit, more.length === 0 ? client : '', detail);
};

/** The most common unit comes first. */
const usesIn = (latest: readonly Latest[]) => {
  const uses = new Map<string, Use>();
  for (const { client, entries } of latest) {
    for (const { MaterialCode: code, StockBalanceUnit: unit } of entries) {
      const use = uses.get(unit) ?? { unit, count: 0, clients: new Set(), code };
      use.count += 1;
      use.clients.add(client);
      uses.set(unit, use);
    }
  }
  return [...uses.values()].sort(compareBy(({ unit }) => unit)).sort((one, other) => other.count - one.count);
};
