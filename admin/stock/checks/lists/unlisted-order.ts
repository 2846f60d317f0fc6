import { countOf } from '../../../text/words.ts';
import { defineCheck } from '../check.ts';
import { firstBatchOf } from '../check-tables.ts';
import { firstMaterials, joinFirst } from '../phrases.ts';

export const unlistedOrder = defineCheck<{ materialCount: number; codes: string }>({
  kind: 'unlisted-order',
  findingsSql: `
    SELECT client, named.name AS subject, count(*) AS materialCount, json_group_array(material) AS materials
    FROM check_present AS b CROSS JOIN check_order AS named USING (orders)
    WHERE named.name NOT IN (SELECT identifier FROM main.list_row WHERE list = 'PurchaseOrders')
    GROUP BY named.name, client ORDER BY named.name, client`,
  detailsSql: `
    SELECT found.*, latest.id AS batch, ${firstMaterials('found.materials')} AS codes, (
      SELECT min(${firstBatchOf('instr(earlier.orders, found.subject)')})
      FROM json_each(found.materials) AS material JOIN check_present AS b
      ON b.client = found.client AND b.material = material.value
    ) AS since
    FROM check_found AS found JOIN check_latest AS latest USING (client)`,
  describe: ({ materialCount, codes }) => ({
    detail: `${countOf(materialCount, 'material')} (${joinFirst(codes, materialCount)}) ${materialCount === 1 ? 'names' : 'name'} it, but it is not in the list.`,
    advice: 'Add it to the list, or correct it in the warehouse system.',
  }),
});
