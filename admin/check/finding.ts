import { compareBy } from '../store/order.ts';

/** Every kind of finding, and its explanation. The order puts likely causes of others first. */
export const kinds = {
  'damaged-snapshot': 'snapshots that cannot be read whole',
  'no-snapshot': 'clients that have sent no snapshot',
  'halved-snapshot': 'latest snapshots with fewer than half of the entries of the one before',
  'zero-snapshot': 'latest snapshots whose balances are all 0, unlike the one before',
  'power-of-ten': 'balances with the same digits as before, and the decimal point elsewhere',
  'sign-flipped': 'balances that were positive and are negative, or the other way round',
  'unit-differs': 'units that differ',
  'look-alike': 'different codes that look the same',
  'case-differs': 'codes that differ in upper and lower case alone',
  'unlisted-code': 'codes with a balance that the list lacks',
  'no-balance': 'codes of the list without a balance',
  'unlisted-order': 'purchase orders that a balance names and the list lacks',
  'unused-order': 'purchase orders of the list that no balance names',
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
