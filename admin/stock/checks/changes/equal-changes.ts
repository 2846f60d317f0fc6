import { countOf } from '../../../text/words.ts';
import { firstMaterials, joinFirst, timeInWords } from '../phrases.ts';

/** If more balances of a batch change in the same way, they become one finding. */
const MAX_SEPARATE = 5;

/** One row for each change, or for all changes of a batch in the same `way`. `changes` selects `client`, `material` and `way`. */
export const groupEqual = (changes: string) => `
  SELECT client, json_group_array(material) AS materials, min(material) AS first, count(*) AS changed, way
  FROM (SELECT client, material, way, count(*) OVER (PARTITION BY client, way) AS equal FROM (${changes}))
  GROUP BY client, way, iif(equal > ${MAX_SEPARATE}, 0, material)`;

/** Adds the values of the first balance of each row. */
export const WITH_VALUES = `
  SELECT found.*, ${firstMaterials('found.materials')} AS codes,
    iif(changed > 1, latest.id, material.name) AS subject, material.name AS code,
    latest.name, latest.position, latest.position AS since, latest.previous,
    c.value, unit.name AS unit, c.old_value, old_unit.name AS old_unit
  FROM check_found AS found
  JOIN check_latest AS latest USING (client)
  JOIN check_change AS c ON c.client = found.client AND c.material = found.first
  JOIN main.material ON material.id = found.first
  JOIN main.unit ON unit.id = c.unit
  JOIN main.unit AS old_unit ON old_unit.id = c.old_unit`;

export type ChangeRow = {
  codes: string;
  changed: number;
  code: string;
  name: string;
  position: number;
  previous: number;
  value: number;
  unit: string;
  old_value: number;
  old_unit: string;
};

/** `doubt` completes the advice: `Ask north whether …`. */
export const describeChange = (row: ChangeRow, changeInWords: string, doubt: string) => {
  const { changed, code, name, position, previous, value, unit, old_value, old_unit } = row;
  const values = `${value} ${unit} (${timeInWords(position)}), but was ${old_value} ${old_unit} in the previous batch (${timeInWords(previous)}).`;
  return {
    detail:
      changed > 1
        ? `${changeInWords} for ${countOf(changed, 'balance')} (${joinFirst(row.codes, changed)}): ${code} is ${values}`
        : `${changeInWords}: it is ${values}`,
    advice: `Ask ${name} whether ${doubt}.`,
  };
};
