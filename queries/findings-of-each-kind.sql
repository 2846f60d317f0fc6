-- Findings of each kind
SELECT severity, kind, sum(count) AS findings, min(since) AS first FROM finding GROUP BY severity, kind ORDER BY findings DESC
