import { compareBy } from '../store/order.ts';

/** Every kind of finding, and its explanation. The order puts likely causes of others first. */
const kindsBySeverity = {
  /** The balances are likely to be wrong, or missing. */
  error: {
    'damaged-snapshot': 'snapshots that cannot be read whole',
    'no-snapshot': 'clients that have sent no snapshot',
    'halved-snapshot': 'latest snapshots with fewer than half of the entries of the previous one',
    'zero-snapshot': 'latest snapshots whose balances are all 0, unlike the previous one',
    'power-of-ten': 'balances with the same digits as before and the decimal point in another place',
    'unit-differs': 'units that differ',
  },
  /** A balance may be wrong, or belong to no material or order of the lists. */
  warning: {
    'sign-flipped': 'balances that were positive and are negative, or the other way round',
    'look-alike': 'different codes that look the same',
    'case-differs': 'codes that differ in upper and lower case alone',
    'unlisted-code': 'codes that have a balance and are not in the list',
    'unlisted-order': 'purchase orders that a balance names and that are not in the list',
  },
  /** The lists have more than is used. */
  note: {
    'no-balance': 'codes of the list without a balance',
    'unused-order': 'purchase orders of the list that no balance names',
  },
} as const;

export const kinds = { ...kindsBySeverity.error, ...kindsBySeverity.warning, ...kindsBySeverity.note };

export type Kind = keyof typeof kinds;
export type Severity = keyof typeof kindsBySeverity;

export const severityOf = (kind: Kind): Severity => {
  if (kind in kindsBySeverity.error) return 'error';
  return kind in kindsBySeverity.warning ? 'warning' : 'note';
};

/** What is wrong, and what to do. The client is empty when no single client is concerned. */
export type Finding = { kind: Kind; client: string; subject: string; detail: string };

const order = Object.keys(kinds);
const positionOf = ({ kind }: Finding) => order.indexOf(kind);
const bySubject = compareBy(({ subject }: Finding) => subject);
const byClient = compareBy(({ client }: Finding) => client);

/** Sorts by severity, then by kind, then by subject, then by client. */
export const sortFindings = (findings: readonly Finding[]) =>
  findings.toSorted(
    (one, other) => positionOf(one) - positionOf(other) || bySubject(one, other) || byClient(one, other),
  );
