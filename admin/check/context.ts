import { catalogs } from '../../shared/storage/catalog.ts';
import { by } from '../store/order.ts';
import type { Compared, Latest } from './finding.ts';
import { originalsAmong } from './lookalikes.ts';

/** What the checks look things up in, made once. */
export type Context = Compared & {
  clients: readonly string[];
  /** Codes of the list, sorted. */
  listed: ReadonlySet<string>;
  /** Every code with a balance, sorted, and who has sent it. */
  sent: ReadonlyMap<string, readonly string[]>;
  /** What a code looks like: one of the list before another, or nothing where it is the first of its look. */
  originalOf: (code: string) => string | undefined;
};

export const contextOf = (compared: Compared): Context => {
  const listed = new Set(compared.codes.map((row) => String(row[catalogs.MaterialCodes.key])).sort());
  const sent = sendersOf(compared.latest);
  const codes = [...listed, ...[...sent.keys()].filter((code) => !listed.has(code))];
  const originals = originalsAmong(codes);
  return {
    ...compared,
    clients: compared.latest.map(({ client }) => client),
    listed,
    sent,
    originalOf: (code) => {
      const found = originals.get(code) ?? [];
      return found.find((original) => listed.has(original)) ?? found[0];
    },
  };
};

const sendersOf = (latest: readonly Latest[]) => {
  const senders = new Map<string, string[]>();
  for (const { client, entries } of latest) {
    for (const { MaterialCode } of entries) {
      const known = senders.get(MaterialCode);
      if (known) known.push(client);
      else senders.set(MaterialCode, [client]);
    }
  }
  return new Map([...senders].sort(by(([code]) => code)));
};
