import { joinFirstNames } from '../../../text/words.ts';
import {
  CAME,
  defineKind,
  displayNameOf,
  firstNames,
  listedSince,
  SCOPE,
  scopeOfList,
  sinceOf,
} from '../parts/define-kind.ts';
import { describeLikeness } from '../parts/describe-spelling.ts';

/** A code in the list, or the warehouses that send it. */
type Place = { isListed: number; count: number; warehouses: string[] };
type Data = Place & { original: string; originalPlace: Place };

const placeOf = (material: string) => ({
  isListed: `${material} IN (SELECT material FROM check_listed)`,
  count: `(SELECT sender_count FROM check_known WHERE material = ${material})`,
  warehouses: `json(${firstNames(`SELECT ${displayNameOf('client')} AS name FROM check_present AS b WHERE b.material = ${material} ORDER BY client`)})`,
});
const { isListed, count, warehouses } = placeOf('found.original');

const sentSince = (material: string) => `(
  SELECT min(${sinceOf(`sent.material = ${material}`)}) FROM check_present AS b JOIN check_latest AS latest USING (client)
  WHERE b.material = ${material}
)`;

const defineLikeness = ({ isOnlyCase, ...names }: Likeness) =>
  defineKind<Data>({
    ...names,
    severity: 'warning',
    checks: [
      {
        found: `
          SELECT iif(listed.material IS NULL AND sender_count = 1, sender, NULL) AS client, alike.material AS subject,
            json_array(alike.material, alike.original) AS materials, alike.original
          FROM check_alike AS alike
          LEFT JOIN check_listed AS listed USING (material) LEFT JOIN check_known USING (material)
          WHERE is_only_case = ${isOnlyCase}`,
        scope: `iif(${isListed}, ${scopeOfList('MaterialCodes')}, ${SCOPE})`,
        since: `iif(found.subject IN (SELECT material FROM check_listed), NULL,
          max(${sentSince('found.subject')}, iif(${isListed}, ${listedSince('MaterialCodes', 'found.original', CAME)},
            ${sentSince('found.original')})))`,
        data: {
          ...placeOf('found.subject'),
          original: 'found.original',
          // Another warehouse's code is not for this one.
          knowsOriginal: `(${isListed} OR found.original IN (SELECT material FROM check_present AS b WHERE b.client = found.client))`,
          originalPlace: `json_object('isListed', ${isListed}, 'count', ${count}, 'warehouses', ${warehouses})`,
        },
      },
    ],
    write: ({ subject, original, originalPlace, ...place }) => ({
      detail: `Is ${describePlace(place)} and ${describeLikeness(subject, original, describePlace(originalPlace))}.`,
      advice: `If both mean the same material, ${adviceFor(place, originalPlace)}`,
    }),
  });

type Likeness = { kind: string; name: string; title: string; isOnlyCase: boolean };

const describePlace = ({ isListed, warehouses, count }: Place) =>
  isListed ? 'in the list' : `sent by ${joinFirstNames(warehouses, count)}`;

const adviceFor = (place: Place, originalPlace: Place) => {
  if (place.isListed) return 'remove the wrong code from the list.';
  if (originalPlace.isListed) return 'correct the wrong code.';
  return 'have the warehouse system send only one of the codes.';
};

export const lookAlike = defineLikeness({
  kind: 'look-alike',
  name: 'look-alike code',
  title: 'different codes that look the same',
  isOnlyCase: false,
});
export const caseDiffers = defineLikeness({
  kind: 'case-differs',
  name: 'only the letter case differs',
  title: 'codes that differ only in letter case',
  isOnlyCase: true,
});
