-- The largest drops from one balance to the next in the same unit
SELECT warehouse, material, value_before, value, unit, exact_difference(value, value_before) AS difference, since FROM history
WHERE unit = unit_before AND value < value_before ORDER BY value - value_before LIMIT 20
