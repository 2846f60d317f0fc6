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
  firstNames(`
    SELECT latest.name FROM check_of_material AS b JOIN check_latest AS latest USING (client)
    WHERE b.material = ${material} ORDER BY latest.client`);
const sentSince = (material: string) =>
  `(SELECT min(${firstBatchOf()}) FROM check_of_material AS b WHERE b.material = ${material})`;

/** The codes that look like another code. */
const defineLikenessCheck = (kind: 'look-alike' | 'case-differs') =>
  defineCheck<Row>({
    kind,
    findingsSql: `
      SELECT iif(listed.material IS NULL AND sender_count = 1, sender, NULL) AS client,
        json_array(alike.material, alike.original) AS materials, alike.material, alike.original
      FROM check_alike AS alike
      LEFT JOIN check_listed AS listed USING (material) LEFT JOIN check_known USING (material)
      WHERE is_only_case = ${kind === 'case-differs'} ORDER BY alike.material`,
    detailsSql: `
      SELECT found.client, found.materials, code.name AS subject, latest.instant,
        iif(listed.material IS NULL,
          max(${sentSince('found.material')}, iif(listed_original.material IS NULL, ${sentSince('found.original')}, 0)),
          NULL) AS since,
        listed.material IS NOT NULL AS isListed, known.sender_count AS senderCount, ${warehousesWith('found.material')} AS warehouses,
        original.name AS original, listed_original.material IS NOT NULL AS isOriginalListed,
        known_original.sender_count AS originalSenderCount, ${warehousesWith('found.original')} AS originalWarehouses
      FROM check_found AS found
      JOIN main.material AS code ON code.id = found.material
      JOIN main.material AS original ON original.id = found.original
      LEFT JOIN check_listed AS listed ON listed.material = found.material
      LEFT JOIN check_listed AS listed_original ON listed_original.material = found.original
      LEFT JOIN check_known AS known ON known.material = found.material
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
