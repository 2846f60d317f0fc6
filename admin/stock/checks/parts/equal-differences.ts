import { formatTime } from '../../../text/time.ts';
import { formatNumber, joinFirstNames } from '../../../text/words.ts';
import { timeOf } from '../../queries/columns.ts';
import { type Check, FIRST_MATERIALS } from './define-kind.ts';

/** If more balances of a batch have the same `group_key`, they become one finding. */
const MAX_SEPARATE = 5;

export type Difference = {
  client: string | null;
  /** How many balances differ in the same way, and the first of their codes. */
  balances: number;
  codes: string[];
  /** The first material, with its values. */
  material: string;
  value: number;
  unit: string;
  at: string;
  previousValue: number;
  previousUnit: string;
  previousAt: string;
};

/** Finds each difference, or all equal differences of a batch. `differences` selects `client`, `material` and `group_key`. */
export const findDifferences = (differences: string, data: Check['data'] = {}): Check => ({
  found: `
    SELECT differs.client, iif(count(*) > 1, id, min(material)) AS subject, json_group_array(material) AS materials,
      min(material) AS first, count(*) AS balances, group_key
    FROM (
      SELECT client, material, group_key, count(*) OVER (PARTITION BY client, group_key) AS equal FROM (${differences})
    ) AS differs JOIN check_latest USING (client)
    GROUP BY differs.client, group_key, iif(equal > ${MAX_SEPARATE}, 0, material)`,
  joins: 'JOIN check_differs AS c ON c.client = found.client AND c.material = found.first',
  since: 'latest.id',
  data: {
    ...{ balances: 'found.balances', codes: `json(${FIRST_MATERIALS})`, material: 'found.first' },
    ...{ value: 'c.value', unit: 'c.unit', at: timeOf('latest.id') },
    ...{ previousValue: 'c.previous_value', previousUnit: 'c.previous_unit' },
    ...{ previousAt: timeOf('latest.previous'), ...data },
  },
});

/** `doubt` completes the advice: `Ask north whether …`. */
export const writeDifference = (finding: Difference, differenceInWords: string, doubt: string) => {
  const { client, balances, codes, material, value, unit, at, previousValue, previousUnit, previousAt } =
    finding;
  const values = `${formatNumber(value)} ${unit} (${formatTime(new Date(at))}), but was ${formatNumber(previousValue)} ${previousUnit} in the previous batch (${formatTime(new Date(previousAt))}).`;
  return {
    detail:
      balances > 1
        ? `${differenceInWords} for ${formatNumber(balances)} balances (${joinFirstNames(codes, balances)}): ${material} is ${values}`
        : `${differenceInWords}: it is ${values}`,
    advice: `Ask ${client} whether ${doubt}.`,
  };
};
