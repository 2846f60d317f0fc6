-- Materials that nobody has sent for :days days
SELECT material, max(received_at) AS last_received FROM balance GROUP BY material
HAVING last_received < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || :days || ' days') ORDER BY last_received
