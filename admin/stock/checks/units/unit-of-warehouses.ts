import { joinNames } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';
import { firstNames, joinFirst } from '../phrases.ts';

type Source = [unit: string, since: string, senderCount: number, warehouses: string];

/** A material that warehouses send in different units. */
export const unitOfWarehouses = defineCheck<{ sources: string }>({
  kind: 'unit-differs',
  findingsSql: `
    SELECT NULL AS client, json_array(material) AS materials, material AS subject FROM check_known
    WHERE least_unit <> greatest_unit ORDER BY material`,
  detailsSql: `
    SELECT found.*, NULL AS since, NULL AS batch, (
      SELECT json_group_array(json_array(unit, since, sender_count, warehouses)) FROM (
        SELECT b.unit, min(${firstBatchOf('earlier.unit = b.unit')}) AS since, count(*) AS sender_count, ${firstNames(`
          SELECT client AS name FROM check_present AS other
          WHERE other.material = found.subject AND other.unit = b.unit ORDER BY client`)} AS warehouses
        FROM check_present AS b WHERE b.material = found.subject GROUP BY b.unit ORDER BY min(b.client)
      )
    ) AS sources
    FROM check_found AS found`,
  describe: (row) => {
    const sources: Source[] = JSON.parse(row.sources);
    const [, secondSince = null] = sources.map(([, since]) => since).sort();
    const names = sources.map(
      ([unit, , senderCount, warehouses]) => `"${unit}" from ${joinFirst(warehouses, senderCount)}`,
    );
    return {
      since: secondSince,
      detail: `Comes in ${joinNames(names)}.`,
      advice: 'Have all warehouses send the same unit.',
    };
  },
});
