#!/usr/bin/env bash
# The four operations with curl: awk builds the bodies, and curl keeps its defaults.
set -euo pipefail
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# call OPERATION PATH [CURL OPTION...]
call() {
  local operation=$1 path=$2 status
  shift 2
  status=$(curl --silent --show-error --output "$work/response" --write-out '%{http_code}' \
    -u "$USERNAME:$PASSWORD" -H 'Content-Type: application/json' "$@" "$BASE_URL/rest/warehouse-control/$path")
  printf '{"operation":"%s","status":%d,"body":%s}\n' "$operation" "$status" "$(<"$work/response")"
}

# batch COUNT: every balance has three decimals, as printf writes them
batch() {
  awk -v count="$1" 'BEGIN {
    split("Сталь-10/А, ABC- Кабель,ВВГ/", kinds, " ")
    printf "{\"MaterialCodes\": ["
    for (i = 0; i < count; i++) {
      orders = ""
      for (k = 0; k < i % 5; k++) orders = orders sprintf("%s\"OT%07d\"", k ? ", " : "", i + k % 2)
      printf "%s\n  {\"MaterialCode\": \"%s%d\", \"StockBalance\": %.3f, \"StockBalanceUnit\": \"kg\", \"PurchaseOrders\": %s}",
        i ? "," : "", kinds[i % 3 + 1], i, (i % 7 - 3) * (1000 * i + 67) / 1000, i % 5 ? "[" orders "]" : "{}"
    }
    print "\n]}"
  }'
}

batch 200 >"$work/batch.json"
batch 12000 >"$work/large-batch.json"

call change changes -H 'Accept-Encoding;' -d "{\"Timestamp\": \"$(date -u +%Y-%m-%dT%H:%M:%S,%3NZ)\"}"
call material-codes material-codes -H 'Content-Length: 0' --compressed
call purchase-orders purchase-orders -H 'Content-Length: 0' --anyauth
call balances material-stock-balance -d "@$work/batch.json"
call balances-anyauth material-stock-balance --anyauth --data-binary "@$work/batch.json"
call balances-large material-stock-balance --data-binary "@$work/large-batch.json"
call balances-large-anyauth material-stock-balance --anyauth --data-binary "@$work/large-batch.json"
gzip <"$work/batch.json" |
  call balances-gzip material-stock-balance -H 'Content-Encoding: gzip' --compressed --data-binary @-
