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
  SELECT found.*, ${firstMaterials('found.materials')} AS codes, iif(balances > 1, latest.id, found.first) AS subject,
    latest.id, latest.id AS batch, latest.id AS since, latest.previous, c.value, c.unit, c.previous_value, c.previous_unit
  FROM check_found AS found
  JOIN check_latest AS latest USING (client)
  JOIN check_differs AS c ON c.client = found.client AND c.material = found.first`;

export type Difference = {
  client: string;
  codes: string;
  balances: number;
  /** The first material. */
  first: string;
  id: string;
  previous: string;
  value: number;
  unit: string;
  previous_value: number;
  previous_unit: string;
};

/** `doubt` completes the advice: `Ask north whether …`. */
export const describeDifference = (row: Difference, differenceInWords: string, doubt: string) => {
  const { client, balances, first, id, previous, value, unit, previous_value, previous_unit } = row;
  const values = `${value} ${unit} (${timeInWords(id)}), but was ${previous_value} ${previous_unit} in the previous batch (${timeInWords(previous)}).`;
  return {
    detail:
      balances > 1
        ? `${differenceInWords} for ${countOf(balances, 'balance')} (${joinFirst(row.codes, balances)}): ${first} is ${values}`
        : `${differenceInWords}: it is ${values}`,
    advice: `Ask ${client} whether ${doubt}.`,
  };
};
