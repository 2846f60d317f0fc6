-- Codes with more than one unit
SELECT material, group_concat(DISTINCT unit) AS units FROM balance GROUP BY material HAVING count(DISTINCT unit) > 1
