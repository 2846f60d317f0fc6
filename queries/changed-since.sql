-- What has changed since :day, such as 2026-03-31, with the balance before
SELECT warehouse, material, value_before, unit_before, value, unit, since FROM history
WHERE since >= :day AND value_before IS NOT NULL ORDER BY since DESC
