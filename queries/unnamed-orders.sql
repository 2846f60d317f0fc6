-- Purchase orders of the list that no balance names
WITH lists AS MATERIALIZED (SELECT DISTINCT orders FROM balance),
  named AS MATERIALIZED (SELECT value FROM lists, json_each('[' || replace(json_quote(orders), ' ', '","') || ']'))
SELECT purchase_order FROM purchase_order WHERE purchase_order NOT IN (SELECT value FROM named)
