-- Batches of each day and warehouse
SELECT substr(received_at, 1, 10) AS day, warehouse, count(*) AS batches, max(entries) AS most_entries
FROM batch GROUP BY day, warehouse ORDER BY day DESC, warehouse
