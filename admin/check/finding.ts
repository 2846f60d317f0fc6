import { compareBy } from '../store/order.ts';

/** Every kind of finding, and its explanation. The order puts likely causes of others first. */
export const kinds = {
  'damaged-snapshot': 'snapshots that cannot be read whole',
  'no-snapshot': 'clients that have sent no snapshot',
  'look-alike': 'different codes that look the same',
  'case-differs': 'codes that differ in upper and lower case alone',
  'unlisted-code': 'codes with a balance that the list lacks',
  'no-balance': 'codes of the list without a balance',
  'unlisted-order': 'purchase orders that a balance names and the list lacks',
  'unused-order': 'purchase orders of the list that no balance names',
  'unit-differs': 'units that differ',
} as const;

export type Kind = keyof typeof kinds;

/** What is wrong, and what to do. The client is empty when no single client is concerned. */
export type Finding = { kind: Kind; client: string; subject: string; detail: string };

const order = Object.keys(kinds);
const positionOf = ({ kind }: Finding) => order.indexOf(kind);
const bySubject = compareBy(({ subject }: Finding) => subject);
const byClient = compareBy(({ client }: Finding) => client);

/** Sorts by kind, then by subject, then by client. */
export const sortFindings = (findings: readonly Finding[]) =>
  findings.toSorted(
    (one, other) => positionOf(one) - positionOf(other) || bySubject(one, other) || byClient(one, other),
  );
