import { countOf, joinFirstNames } from '../../../text/words.ts';
import { defineKind, FIRST_MATERIALS, listedSince, sinceOf, WENT } from '../parts/define-kind.ts';

export const unlistedOrder = defineKind<{ materialCount: number; codes: string[] }>({
  kind: 'unlisted-order',
  name: 'unlisted order',
  severity: 'warning',
  title: 'purchase orders that a balance names but that are not in the list',
  list: 'PurchaseOrders',
  checks: [
    {
      found: `
        SELECT client, named.name AS subject, json_group_array(material) AS materials, count(*) AS materialCount
        FROM check_present AS b CROSS JOIN check_order AS named USING (orders)
        WHERE named.name NOT IN (SELECT identifier FROM check_list_row WHERE list = 'PurchaseOrders')
        GROUP BY named.name, client`,
      since: `max(${sinceOf(
        'sent.material IN (SELECT value FROM json_each(found.materials)) AND instr(sent.orders, found.subject)',
      )}, ${listedSince('PurchaseOrders', 'found.subject', WENT)})`,
      data: { materialCount: 'materialCount', codes: `json(${FIRST_MATERIALS})` },
    },
  ],
  write: ({ materialCount, codes }) => ({
    detail: `${countOf(materialCount, 'material')} (${joinFirstNames(codes, materialCount)}) ${materialCount === 1 ? 'names' : 'name'} it, but it is not in the list.`,
    advice: 'Add it to the list, or correct it in the warehouse system.',
  }),
});
