import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';
import { describeLikeness } from '../likeness/likeness.ts';
import { firstNames, joinFirst } from '../phrases.ts';

type Row = {
  subject: string;
  isListed: number;
  senderCount: number;
  warehouses: string;
  original: string;
  isOriginalListed: number;
  originalSenderCount: number;
  originalWarehouses: string;
};

const warehousesWith = (material: string) =>
  firstNames(`SELECT client AS name FROM check_present AS b WHERE b.material = ${material} ORDER BY client`);
const sentSince = (material: string) =>
  `(SELECT min(${firstBatchOf()}) FROM check_present AS b WHERE b.material = ${material})`;

/** The codes that look like another code. */
const defineLikenessCheck = (kind: 'look-alike' | 'case-differs') =>
  defineCheck<Row>({
    kind,
    findingsSql: `
      SELECT iif(listed.material IS NULL AND sender_count = 1, sender, NULL) AS client,
        json_array(alike.material, alike.original) AS materials, alike.material AS subject, alike.original
      FROM check_alike AS alike
      LEFT JOIN check_listed AS listed USING (material) LEFT JOIN check_known USING (material)
      WHERE is_only_case = ${kind === 'case-differs'} ORDER BY alike.material`,
    detailsSql: `
      SELECT found.*, latest.id AS batch,
        iif(listed.material IS NULL,
          max(${sentSince('found.subject')}, iif(listed_original.material IS NULL, ${sentSince('found.original')}, '')),
          NULL) AS since,
        listed.material IS NOT NULL AS isListed, known.sender_count AS senderCount, ${warehousesWith('found.subject')} AS warehouses,
        listed_original.material IS NOT NULL AS isOriginalListed,
        known_original.sender_count AS originalSenderCount, ${warehousesWith('found.original')} AS originalWarehouses
      FROM check_found AS found
      LEFT JOIN check_listed AS listed ON listed.material = found.subject
      LEFT JOIN check_listed AS listed_original ON listed_original.material = found.original
      LEFT JOIN check_known AS known ON known.material = found.subject
      LEFT JOIN check_known AS known_original ON known_original.material = found.original
      LEFT JOIN check_latest AS latest ON latest.client = found.client`,
    describe: (row) => {
      const place = row.isListed ? 'in the list' : `sent by ${joinFirst(row.warehouses, row.senderCount)}`;
      const originalPlace = row.isOriginalListed
        ? 'in the list'
        : `sent by ${joinFirst(row.originalWarehouses, row.originalSenderCount)}`;
      return {
        detail: `Is ${place} and ${describeLikeness(row.subject, row.original, originalPlace)}.`,
        advice: `If both mean the same material, ${adviceFor(row)}`,
      };
    },
  });

const adviceFor = ({ isListed, isOriginalListed }: Row) => {
  if (isListed) return 'remove the wrong code from the list.';
  if (isOriginalListed) return 'correct the wrong code.';
  return 'have the warehouse system send only one of the codes.';
};

export const lookAlike = defineLikenessCheck('look-alike');
export const caseDiffers = defineLikenessCheck('case-differs');
