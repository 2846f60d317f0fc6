import type { ListName } from '../../shared/tables.ts';
import type { List } from '../lists/plan/plan-changes.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import { markLikeness, markSpelling } from '../stock/checks/parts/describe-spelling.ts';
import { findNearCodes, mayBeSeries } from '../stock/checks/parts/likeness.ts';
import { findOriginals } from '../stock/look-alikes.ts';
import type { Marked } from '../text/marked.ts';
import { joinFirstNames } from '../text/words.ts';
import { describeMore, lostNamesIn, MAX_WARNINGS_OF_KIND, newNamesIn } from './changes.ts';
import type { Uses } from './find-uses.ts';

/** Compares new codes with the list as it would be, and with each other. */
export const warnOfLookAlikes = (list: ListName, stored: List, changes: readonly RowChange[]): Marked[] => {
  const added = newNamesIn(list, changes);
  if (added.length === 0) return [];
  const lost = new Set(lostNamesIn(changes));
  const kept = [...stored.keys()].filter((identifier) => !lost.has(identifier)).sort();
  const originals = findOriginals(kept, added);
  const alike = added.flatMap((identifier) => {
    const original = originals.get(identifier) ?? '';
    const place = stored.has(original) ? 'in the list' : 'among the other new rows';
    return original === '' ? [] : [{ identifier, original, place }];
  });
  const others = added.filter((identifier) => !originals.has(identifier));
  return [...describeAlike(alike), ...describeNear(others, kept)];
};

/** Names a listed code that differs in one character, as the check does. */
const describeNear = (added: readonly string[], kept: readonly string[]): Marked[] => {
  const found = findNearCodes(added, kept).filter(({ code, near }) => !mayBeSeries(code, near));
  const meant = [...new Map(found.map(({ code, near }) => [code, near]))];
  return [
    ...meant
      .slice(0, MAX_WARNINGS_OF_KIND)
      .map(([code, near]): Marked => [`${code} is new. Did you mean ${near}, which is in the list?`]),
    ...describeMore(meant.length, 'new code is almost a listed code', 'new codes are almost listed codes'),
  ];
};

/** Compares new codes with codes that warehouses send and that are not in the list. */
export const warnOfLikeSent = (stored: List, { alike }: Uses): Marked[] =>
  describeAlike(
    alike
      .filter(({ sent }) => !stored.has(sent))
      .map(({ added, sent, clients }) => ({
        identifier: added,
        original: sent,
        place: `sent by ${joinFirstNames(clients)}`,
        advice: ' If both mean the same material, add the code that is sent.',
      })),
  );

type Alike = { identifier: string; original: string; place: string; advice?: string };

const describeAlike = (alike: readonly Alike[]): Marked[] => [
  ...alike
    .slice(0, MAX_WARNINGS_OF_KIND)
    .map(
      ({ identifier, original, place, advice = '' }): Marked => [
        ...markSpelling(identifier, original),
        ' is new and ',
        ...markLikeness(identifier, original, place),
        `.${advice}`,
      ],
    ),
  ...describeMore(alike.length, 'new code looks like another code', 'new codes look like other codes'),
];
