import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { CatalogRow } from '../../shared/storage/attribute-json.ts';
import { tables } from '../../shared/tables.ts';
import { joinFirstNames } from '../cli/words.ts';
import { compareBy } from '../store/order.ts';
import { findOriginals } from './lookalikes.ts';
import { findOneEdit, isOtherDigit } from './one-edit.ts';

export type Latest = { client: string; entries: readonly StockBalanceEntry[] };

export type Compared = {
  codes: readonly CatalogRow[];
  orders: readonly string[];
  latest: readonly Latest[];
};

/** What the checks compare, with lookups that are built once. */
export type Comparison = Compared & {
  clients: readonly string[];
  /** The codes of the list, sorted. */
  listed: ReadonlySet<string>;
  /** Every code with a balance, sorted, with the clients that sent it. */
  sent: ReadonlyMap<string, readonly string[]>;
  /** The code that a code looks like, preferably one in the list. Undefined for the first of similar codes. */
  originalOf: (code: string) => string | undefined;
  /** For a code with a balance that is not in the list: the code in the list that differs from it by one edit. */
  meantBy: ReadonlyMap<string, string>;
};

export const toComparison = (compared: Compared): Comparison => {
  const listed = new Set(compared.codes.map((row) => String(row[tables.MaterialCodes.partitionKey])).sort());
  const sent = findSenders(compared.latest);
  const originals = findOriginals([...new Set([...listed, ...sent.keys()])]);
  return {
    ...compared,
    clients: compared.latest.map(({ client }) => client),
    listed,
    sent,
    meantBy: findMeant(listed, sent),
    originalOf: (code) => {
      const found = originals.get(code) ?? [];
      return found.find((original) => listed.has(original)) ?? found[0];
    },
  };
};

const findSenders = (latest: readonly Latest[]) => {
  const senders = new Map<string, string[]>();
  for (const { client, entries } of latest) {
    for (const { MaterialCode: code } of entries) senders.set(code, [...(senders.get(code) ?? []), client]);
  }
  return new Map([...senders].sort(compareBy(([code]) => code)));
};

/** Prefers a code without a balance. Skips codes that differ in one digit if one client sends both: they are a series. */
const findMeant = (listed: ReadonlySet<string>, sent: Comparison['sent']) => {
  const unlisted = [...sent.keys()].filter((code) => !listed.has(code));
  return new Map(
    [...findOneEdit(unlisted, [...listed])].flatMap(([code, candidates]) => {
      const senders = new Set(sent.get(code));
      const isNeighbour = (other: string) =>
        isOtherDigit(code, other) && sent.get(other)?.some((client) => senders.has(client));
      const likely = candidates.filter((other) => !isNeighbour(other));
      const meant = likely.find((other) => !sent.has(other)) ?? likely[0];
      return meant === undefined ? [] : [[code, meant] as const];
    }),
  );
};

export const describeSnapshots = (clients: readonly string[]) => {
  const [only = '', ...others] = clients;
  if (others.length === 0) return `the latest snapshot of ${only}`;
  return `any of the latest snapshots of ${joinFirstNames(clients)}`;
};
