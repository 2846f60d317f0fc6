-- Codes of the list that no warehouse has ever sent
SELECT material, attributes ->> 'Name' AS name FROM material_code WHERE material NOT IN (SELECT material FROM history)
