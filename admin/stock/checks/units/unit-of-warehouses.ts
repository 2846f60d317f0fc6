import { joinNames } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';
import { firstNames, joinFirst } from '../phrases.ts';

type Source = [unit: string, since: number, senderCount: number, warehouses: string];

/** A material that warehouses send in different units. */
export const unitOfWarehouses = defineCheck<{ sources: string }>({
  kind: 'unit-differs',
  findingsSql: `
    SELECT NULL AS client, material AS materials FROM check_known
    WHERE least_unit <> greatest_unit ORDER BY material`,
  detailsSql: `
    SELECT found.*, material.name AS subject, NULL AS since, NULL AS instant, (
      SELECT json_group_array(json_array(name, since, sender_count, warehouses)) FROM (
        SELECT unit.name, min(${firstBatchOf('earlier.unit = b.unit')}) AS since, count(*) AS sender_count, ${firstNames(`
          SELECT latest.name FROM check_of_material AS other JOIN check_latest AS latest USING (client)
          WHERE other.material = found.materials AND other.unit = b.unit ORDER BY latest.client`)} AS warehouses
        FROM check_of_material AS b JOIN main.unit ON unit.id = b.unit
        WHERE b.material = found.materials GROUP BY b.unit ORDER BY min(b.client)
      )
    ) AS sources
    FROM check_found AS found JOIN main.material ON material.id = found.materials`,
  describe: (row) => {
    const sources: Source[] = JSON.parse(row.sources);
    const [, secondSince = null] = sources.map(([, since]) => since).sort((first, second) => first - second);
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
