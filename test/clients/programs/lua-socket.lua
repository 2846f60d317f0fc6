-- The four operations with LuaSocket and lua-cjson.
local cjson = require "cjson"
local http = require "socket.http"
local ltn12 = require "ltn12"
local mime = require "mime"
local socket = require "socket"

local authorization = "Basic " .. mime.b64(os.getenv "USERNAME" .. ":" .. os.getenv "PASSWORD")

local function call(operation, path, method, headers, body)
  headers["Authorization"] = authorization
  headers["Content-Type"] = "application/json"
  local pieces = {}
  local _, status = assert(http.request {
    url = os.getenv "BASE_URL" .. "/rest/warehouse-control/" .. path,
    method = method,
    headers = headers,
    source = body and ltn12.source.string(body),
    sink = ltn12.sink.table(pieces),
  })
  print(cjson.encode { operation = operation, status = status, body = cjson.decode(table.concat(pieces)) })
end

local kinds = { "Сталь-10/А,", "ABC-", "Кабель,ВВГ/" }

local function entry(i)
  local orders = {}
  for k = 0, i % 5 - 1 do
    orders[k + 1] = ("OT%07d"):format(i + k % 2)
  end
  return {
    MaterialCode = kinds[i % 3 + 1] .. i,
    StockBalance = (i % 7 - 3) * (1000 * i + 67) / 1000,
    StockBalanceUnit = "kg",
    PurchaseOrders = orders, -- cjson writes an empty table as {}
  }
end

local function batch(count)
  local entries = {}
  for i = 0, count - 1 do
    entries[i + 1] = entry(i)
  end
  return cjson.encode { MaterialCodes = entries }
end

local function with_length(body, headers)
  headers["Content-Length"] = #body
  return headers, body
end

local now = socket.gettime()
local timestamp = os.date("!%Y-%m-%dT%H:%M:%S", now) .. (",%03dZ"):format(now % 1 * 1000)

call("change", "changes", "POST", with_length(cjson.encode { Timestamp = timestamp }, { ["Accept-Encoding"] = "" }))
call("material-codes", "material-codes", "GET", { ["Content-Length"] = "0" })
call("purchase-orders", "purchase-orders", "GET", { ["Content-Length"] = "0" })
call("balances", "material-stock-balance", "POST", with_length(batch(200), { Expect = "100-continue" }))
-- Without a length, LuaSocket sends chunks.
call("balances-chunked", "material-stock-balance", "POST", {}, batch(200))
