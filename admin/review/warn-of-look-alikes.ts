import type { ListName } from '../../shared/tables.ts';
import type { List } from '../lists/plan/plan-changes.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import { markLikeness, markSpelling } from '../stock/checks/parts/describe-spelling.ts';
import { findOriginals } from '../stock/look-alikes.ts';
import type { Marked } from '../text/marked.ts';
import { describeMore, lostNamesIn, MAX_WARNINGS_OF_KIND, newNamesIn } from './changes.ts';

/** Compares new codes with the list as it would be, and with each other. */
export const warnOfLookAlikes = (list: ListName, stored: List, changes: readonly RowChange[]): Marked[] => {
  const added = newNamesIn(list, changes);
  if (added.length === 0) return [];
  const lost = new Set(lostNamesIn(changes));
  const kept = [...stored.keys()].filter((identifier) => !lost.has(identifier)).sort();
  const originals = findOriginals(kept, added);
  const alike = added.flatMap((identifier) => {
    const original = originals.get(identifier);
    return original === undefined ? [] : [{ identifier, original }];
  });
  const isKept = (identifier: string) => stored.has(identifier);
  return [
    ...alike.slice(0, MAX_WARNINGS_OF_KIND).map(({ identifier, original }): Marked => {
      const place = isKept(original) ? 'in the list' : 'among the other new rows';
      return [
        ...markSpelling(identifier, original),
        ' is new and ',
        ...markLikeness(identifier, original, place),
        '.',
      ];
    }),
    ...describeMore(alike.length, (count) => `${count} look like others`),
  ];
};
