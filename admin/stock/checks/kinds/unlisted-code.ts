import { defineKind, listedSince, sinceOf, WENT } from '../parts/define-kind.ts';
import { describeLikeness } from '../parts/describe-spelling.ts';
import { fillMeantCodes } from '../parts/likeness.ts';

/** `original` looks like the code, and `meant` differs by one edit. Both are in the list. */
type Data = { original: string | null; meant: string | null };

export const unlistedCode = defineKind<Data>({
  kind: 'unlisted-code',
  name: 'unlisted code',
  severity: 'warning',
  title: 'codes that have a balance but are not in the list',
  list: 'MaterialCodes',
  checks: [
    {
      found: `
        SELECT client, material AS subject, json_array(material) AS materials FROM check_present
        WHERE material NOT IN (SELECT material FROM check_listed)`,
      prepare: fillMeantCodes,
      joins: `
        LEFT JOIN check_alike AS alike
        ON alike.material = found.subject AND +alike.original IN (SELECT material FROM check_listed)
        LEFT JOIN check_meant AS meant ON meant.material = found.subject`,
      since: `max(${sinceOf('sent.material = found.subject')}, ${listedSince('MaterialCodes', 'found.subject', WENT)})`,
      data: { original: 'alike.original', meant: 'meant.meant' },
    },
  ],
  write: ({ subject, original, meant }) => {
    const detail = 'Has a balance, but is not in the list.';
    if (original !== null) {
      const likeness = describeLikeness(subject, original, 'in the list');
      return { detail: `${detail} It ${likeness}.`, advice: 'Correct the wrong code.' };
    }
    const suggestion = meant === null ? '' : `Did you mean ${meant}? `;
    return {
      detail,
      advice: `${suggestion}Add ${subject} to the list, or correct it in the warehouse system.`,
    };
  },
});
