-- Stock of each material over all warehouses
SELECT material, unit, exact_sum(value) AS total, count(*) AS warehouses
FROM balance GROUP BY material, unit ORDER BY material
