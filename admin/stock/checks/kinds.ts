/** Every kind of finding, and its explanation. Within a severity, what may explain other findings comes first. */
export const kindsBySeverity = {
  /** The balances are likely to be wrong, or missing. */
  error: {
    'damaged-snapshot': 'batches that cannot be read completely',
    'no-snapshot': 'warehouses that have sent no batch',
    'halved-snapshot': 'latest batches with fewer than half of the entries of the previous batch',
    'zero-snapshot': 'latest batches whose balances are all 0, unlike in the previous batch',
    'power-of-ten': 'balances with the same digits as before, but the decimal point in another place',
    // Found by the checks in units/, and by unit-changed.ts.
    'unit-differs': 'units that differ from those of other batches, or of the list',
  },
  /** A balance may be wrong, or belong to no material or order of the lists. */
  warning: {
    'sign-flipped': 'balances that changed from positive to negative, or from negative to positive',
    'look-alike': 'different codes that look the same',
    'case-differs': 'codes that differ only in letter case',
    'unlisted-code': 'codes that have a balance but are not in the list',
    'unlisted-order': 'purchase orders that a balance names but that are not in the list',
  },
  /** The lists have rows that no balance uses. */
  note: {
    'no-balance': 'codes in the list without a balance',
    'unused-order': 'purchase orders in the list that no balance names',
  },
} as const;

export const kinds = { ...kindsBySeverity.error, ...kindsBySeverity.warning, ...kindsBySeverity.note };

export type Kind = keyof typeof kinds;
