-- The materials that change most often
SELECT material, warehouse, count(*) - 1 AS changes, min(value) AS lowest, max(value) AS highest
FROM history GROUP BY material, warehouse HAVING changes > 0 ORDER BY changes DESC LIMIT 20
