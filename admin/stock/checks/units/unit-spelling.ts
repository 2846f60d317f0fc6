import { countOf } from '../../../text/words.ts';
import { FOREVER } from '../../queries/filter.ts';
import { defineCheck } from '../check.ts';
import { describeSpelling } from '../likeness/describe-spelling.ts';

type Row = { subject: string; balances: number; code: string; usual: string; usual_count: number };

const balancesHave = (count: number) => `${countOf(count, 'balance')} ${count === 1 ? 'has' : 'have'}`;

/** Since when a warehouse has sent the unit without a break. If several warehouses send it, the earliest time. */
const SINCE = `
  SELECT min(beginning) FROM (
    SELECT max(max(begun), earliest) AS beginning FROM (
      SELECT *, max(ended) OVER (
        PARTITION BY client ORDER BY begun ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS reached
      FROM (
        SELECT DISTINCT b.client, b.begun, ifnull(b.ended, '${FOREVER}') AS ended, latest.earliest
        FROM json_each(found.clients) AS sender
        CROSS JOIN check_latest AS latest ON latest.client = sender.value
        CROSS JOIN check_period AS b ON b.client = latest.client
        WHERE b.unit = found.subject
      )
    ) WHERE reached IS NULL OR reached < begun GROUP BY client
  )`;

/** A unit that may be another spelling of a more usual unit. */
export const unitSpelling = defineCheck<Row>({
  kind: 'unit-differs',
  findingsSql: `
    WITH used AS MATERIALIZED (
      SELECT unit, count(*) AS balances, json_group_array(DISTINCT client) AS clients, min(material) AS code
      FROM check_present GROUP BY unit
    ), ranked AS (
      SELECT used.*, first_value(unit) OVER alike AS usual, first_value(balances) OVER alike AS usual_count
      FROM used WINDOW alike AS (PARTITION BY simplify_unit(unit) ORDER BY balances DESC, unit)
    )
    SELECT iif(json_array_length(clients) = 1, clients ->> 0, NULL) AS client, ranked.*, unit AS subject,
      (SELECT json_group_array(DISTINCT material) FROM check_present AS b WHERE b.unit = ranked.unit) AS materials
    FROM ranked WHERE unit <> usual ORDER BY unit`,
  detailsSql: `
    SELECT found.*, (${SINCE}) AS since, latest.id AS batch FROM check_found AS found
    LEFT JOIN check_latest AS latest ON latest.client = found.client`,
  describe: ({ subject, balances, code, usual, usual_count }) => ({
    detail: `May be the same unit as "${usual}", which ${balancesHave(usual_count)}: ${describeSpelling(subject, usual)}. ${balancesHave(balances)} "${subject}", such as the balance of ${code}.`,
    advice: 'If both mean the same unit, have all warehouses send the same spelling.',
  }),
});
