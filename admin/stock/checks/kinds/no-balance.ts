import {
  CAME,
  defineKind,
  LATEST_BATCHES,
  type LatestBatches,
  listedSince,
  OTHERS,
  writeLatestBatches,
} from '../parts/define-kind.ts';
import { differsOnlyInCase } from '../parts/describe-spelling.ts';

/** Without any batch, finds nothing, because `no-snapshot` already says so for all materials. */
export const noBalance = defineKind<LatestBatches & { alike: string | null }>({
  kind: 'no-balance',
  name: 'no balance',
  severity: 'note',
  title: 'codes in the list without a balance',
  list: 'MaterialCodes',
  checks: [
    {
      found: `
        SELECT NULL AS client, listed.material AS subject, json_array(listed.material) AS materials, left_out
        FROM check_listed AS listed LEFT JOIN check_known USING (material)
        WHERE ifnull(sender_count, 0) = 0 AND EXISTS (SELECT 1 FROM check_latest)`,
      // A batch that is not loaded may have the material.
      since: `max(left_out, ifnull((SELECT max(earliest) FROM check_latest WHERE has_older), left_out),
        ${listedSince('MaterialCodes', 'found.subject', CAME)})`,
      data: {
        ...LATEST_BATCHES,
        alike: `(
          SELECT max(material) FROM check_alike
          WHERE original = found.subject AND material NOT IN (SELECT material FROM check_listed)
        )`,
      },
    },
  ],
  write: ({ subject, alike, ...latest }) => ({
    detail: `Is in the list, but has no balance in ${writeLatestBatches(latest)}.`,
    advice:
      alike === null
        ? latest.hasOthers
          ? `If the warehouse has it, have its system send the balance, even if the balance is 0. ${OTHERS}`
          : 'Remove it from the list if it is no longer used. Otherwise, have the warehouse system send its balance, even if the balance is 0.'
        : `${alike} has a balance and ${differsOnlyInCase(alike, subject) ? 'differs only in letter case' : 'looks the same'}. Correct the wrong code.`,
  }),
});
