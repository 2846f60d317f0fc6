import { countOf } from '../../../text/words.ts';
import { firstMaterials, joinFirst, timeInWords } from '../phrases.ts';

/** If more balances of a batch have the same `group_key`, they become one finding. */
const MAX_SEPARATE = 5;

/** One row for each difference, or for all equal differences of a batch. `differences` selects `client`, `material` and `group_key`. */
export const groupEqual = (differences: string) => `
  SELECT client, json_group_array(material) AS materials, min(material) AS first, count(*) AS balances, group_key
  FROM (SELECT client, material, group_key, count(*) OVER (PARTITION BY client, group_key) AS equal FROM (${differences}))
  GROUP BY client, group_key, iif(equal > ${MAX_SEPARATE}, 0, material)`;

/** Adds the values of the first material of each row. */
export const WITH_VALUES = `
  SELECT found.*, ${firstMaterials('found.materials')} AS codes,
    iif(balances > 1, latest.id, material.name) AS subject, material.name AS code,
    latest.name, latest.instant, latest.instant AS since, latest.previous,
    c.value, unit.name AS unit, c.previous_value, previous_unit.name AS previous_unit
  FROM check_found AS found
  JOIN check_latest AS latest USING (client)
  JOIN check_differs AS c ON c.client = found.client AND c.material = found.first
  JOIN main.material ON material.id = found.first
  JOIN main.unit ON unit.id = c.unit
  JOIN main.unit AS previous_unit ON previous_unit.id = c.previous_unit`;

export type Difference = {
  codes: string;
  balances: number;
  code: string;
  name: string;
  instant: number;
  previous: number;
  value: number;
  unit: string;
  previous_value: number;
  previous_unit: string;
};

/** `doubt` completes the advice: `Ask north whether …`. */
export const describeDifference = (row: Difference, differenceInWords: string, doubt: string) => {
  const { balances, code, name, instant, previous, value, unit, previous_value, previous_unit } = row;
  const values = `${value} ${unit} (${timeInWords(instant)}), but was ${previous_value} ${previous_unit} in the previous batch (${timeInWords(previous)}).`;
  return {
    detail:
      balances > 1
        ? `${differenceInWords} for ${countOf(balances, 'balance')} (${joinFirst(row.codes, balances)}): ${code} is ${values}`
        : `${differenceInWords}: it is ${values}`,
    advice: `Ask ${name} whether ${doubt}.`,
  };
};
