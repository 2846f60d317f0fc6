import { countOf, joinFirstNames, joinNames } from '../../../text/words.ts';
import {
  type Check,
  defineKind,
  displayNameOf,
  firstNames,
  listedSince,
  sinceOf,
} from '../parts/define-kind.ts';
import { describeSpelling } from '../parts/describe-spelling.ts';
import { type Difference, findDifferences, writeDifference } from '../parts/equal-differences.ts';

type Source = { unit: string; count: number; warehouses: string[] };
type Data =
  | ({ from: 'previous batch' } & Difference)
  | { from: 'list'; unit: string; attribute: string; listed: string }
  | { from: 'other warehouses'; sources: Source[] }
  | { from: 'usual spelling'; usualUnit: string; usualCount: number; count: number; material: string };

const previousBatch = findDifferences(
  `SELECT client, material, previous_unit || ' ' || unit AS group_key FROM check_differs WHERE unit <> previous_unit`,
  { from: `'previous batch'` },
);

const SINCE_IN_UNIT = sinceOf('sent.material = b.material AND sent.unit = b.unit');

/** A balance whose unit differs from the unit in the list. */
const list: Check = {
  found: `
    SELECT b.client, b.material AS subject, json_array(b.material) AS materials
    FROM check_present AS b JOIN check_listed AS listed USING (material)
    WHERE listed.attribute IS NOT NULL AND listed.unit <> b.unit`,
  joins: `
    JOIN check_present AS b ON b.client = found.client AND b.material = found.subject
    JOIN check_listed AS listed ON listed.material = found.subject`,
  since: `max(${SINCE_IN_UNIT}, ${listedSince('MaterialCodes', 'found.subject', 'line.attribute = listed.attribute')})`,
  data: { from: `'list'`, unit: 'b.unit', attribute: 'listed.attribute', listed: 'listed.unit' },
};

const WAREHOUSES = firstNames(`
  SELECT ${displayNameOf('client')} AS name FROM check_present AS other
  WHERE other.material = b.material AND other.unit = b.unit ORDER BY client`);

/** A material that warehouses send in different units, since a second unit came. If the list has its unit, the list says who is wrong. */
const otherWarehouses: Check = {
  found: `
    SELECT NULL AS client, material AS subject, json_array(material) AS materials
    FROM check_known WHERE least_unit <> greatest_unit
    AND NOT EXISTS (SELECT * FROM check_listed AS listed WHERE listed.material = check_known.material AND listed.attribute IS NOT NULL)`,
  since: `(
    SELECT min(${SINCE_IN_UNIT}) AS since FROM check_present AS b JOIN check_latest AS latest USING (client)
    WHERE b.material = found.subject GROUP BY b.unit ORDER BY since LIMIT 1 OFFSET 1
  )`,
  data: {
    from: `'other warehouses'`,
    sources: `(
      SELECT json_group_array(json_object('unit', unit, 'count', count, 'warehouses', json(warehouses))) FROM (
        SELECT unit, count(*) AS count, ${WAREHOUSES} AS warehouses FROM check_present AS b
        WHERE material = found.subject GROUP BY unit ORDER BY min(client)
      )
    )`,
  },
};

/** A unit that may be another spelling of a more usual unit. */
const usualSpelling: Check = {
  found: `
    WITH used AS MATERIALIZED (
      SELECT unit, count(*) AS count, json_group_array(DISTINCT client) AS clients, min(material) AS material
      FROM check_present GROUP BY unit
    ), ranked AS (
      SELECT used.*, first_value(unit) OVER alike AS usualUnit, first_value(count) OVER alike AS usualCount
      FROM used WINDOW alike AS (PARTITION BY simplify_unit(unit) ORDER BY count DESC, unit)
    )
    SELECT iif(json_array_length(clients) = 1, clients ->> 0, NULL) AS client, unit AS subject,
      (SELECT json_group_array(DISTINCT material) FROM check_present AS b WHERE b.unit = ranked.unit) AS materials, ranked.*
    FROM ranked WHERE unit <> usualUnit`,
  since: `(
    SELECT min(${sinceOf('sent.unit = found.subject')}) FROM check_latest AS latest
    WHERE client IN (SELECT value FROM json_each(found.clients))
  )`,
  data: {
    ...{ from: `'usual spelling'`, usualUnit: 'usualUnit', usualCount: 'usualCount' },
    ...{ count: 'found.count', material: 'found.material' },
  },
};

export const unitDiffers = defineKind<Data>({
  kind: 'unit-differs',
  name: 'unit differs',
  severity: 'error',
  title: 'units that differ from those of other batches, or of the list',
  checks: [previousBatch, otherWarehouses, list, usualSpelling],
  write: (finding) => {
    if (finding.from === 'previous batch') {
      const change = `Changed from "${finding.previousUnit}" to "${finding.unit}"`;
      return writeDifference(finding, change, 'it also converted the balance');
    }
    if (finding.from === 'list')
      return {
        detail: `Has the unit "${finding.unit}", but ${finding.attribute} is "${finding.listed}" in the list.`,
        advice: 'Correct the wrong unit.',
      };
    if (finding.from === 'other warehouses')
      return {
        detail: `Comes in ${describeSources(finding.sources)}.`,
        advice: 'Have all warehouses send the same unit.',
      };
    const { subject, usualUnit, usualCount, count, material } = finding;
    const balancesHave = (balances: number) => countOf(balances, 'balance has', 'balances have');
    return {
      detail: `May be the same unit as "${usualUnit}", which ${balancesHave(usualCount)}: ${describeSpelling(subject, usualUnit)}. ${balancesHave(count)} "${subject}", such as the balance of ${material}.`,
      advice: 'If both mean the same unit, have all warehouses send the same spelling.',
    };
  },
});

const describeSources = (sources: readonly Source[]) =>
  joinNames(
    sources.map(({ unit, count, warehouses }) => `"${unit}" from ${joinFirstNames(warehouses, count)}`),
  );
