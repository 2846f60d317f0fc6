-- The stock of one deployment, on the admin's machine. All rows can be read again from the service.
-- A time is in milliseconds since 1970, in UTC, unless its column ends in `_text`.
-- Ids of materials, clients, units and orders are in the order of their texts, by code unit.

-- Values for the whole file: `version` grows with each change, and `generation` when ids change or all rows are removed.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value ANY
) STRICT, WITHOUT ROWID;

-- Clients, without their hashes. A client whose item is damaged, or was deleted by hand, has only a name.
CREATE TABLE client (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sort_key BLOB NOT NULL UNIQUE,  -- The text in UTF-16, because SQLite would compare code points.
  folded TEXT NOT NULL,           -- For searches.
  is_warehouse INTEGER NOT NULL DEFAULT 0, -- 0: a removed client, or a client of the doctor if there are other clients.
  item TEXT NOT NULL DEFAULT '{}',  -- The item of the table Clients in JSON.
  has_all_batches INTEGER NOT NULL DEFAULT 0   -- 1: `batch` has all batches that the service had at the last read.
) STRICT;

-- Material codes of the list, of any batch, or of both.
CREATE TABLE material (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,             -- The code.
  sort_key BLOB NOT NULL UNIQUE,
  folded TEXT NOT NULL            -- The code and the texts of its row in the list, each on its own line.
) STRICT;

-- Units of balances.
CREATE TABLE unit (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sort_key BLOB NOT NULL UNIQUE,
  folded TEXT NOT NULL
) STRICT;

-- One row for all purchase orders of a balance: one text, in the sequence that the client sent, separated by blanks.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sort_key BLOB NOT NULL UNIQUE,
  folded TEXT NOT NULL
) STRICT;

-- Batches that the service has. `instant` is the time of receipt, moved by milliseconds until it is unique for the client. Batches of one
-- millisecond are in the order of their ids.
CREATE TABLE batch (
  client INTEGER NOT NULL,
  instant INTEGER NOT NULL,
  snapshot_id TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  entries INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  expires_at INTEGER,
  state TEXT NOT NULL,            -- `loaded`, `unread` (not loaded yet), or `damaged` (cannot be read).
  damage TEXT,
  PRIMARY KEY (client, instant)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX batch_of_id ON batch (client, snapshot_id);
CREATE INDEX batch_by_time ON batch (instant);

-- A balance and the time for which it is known. An unchanged balance of many batches is one row.
-- All batches from `begun` until before `ended` have exactly this balance. `superseded` is where the next row of the material begins.
-- So `begun <= t AND ended > t` is what the batch at t has, and `begun <= t AND superseded > t` is what is known at t.
-- The last known balances, whose `superseded` is FOREVER, come last within their client. So history does not slow their reading.
CREATE TABLE balance (
  client INTEGER NOT NULL,
  superseded INTEGER NOT NULL,    -- FOREVER if no later batch has the material with other values.
  material INTEGER NOT NULL,
  begun INTEGER NOT NULL,         -- 0: since the earliest loaded batch, or earlier.
  ended INTEGER NOT NULL,          -- The batch that changed the balance or left it out, or FOREVER.
  value REAL NOT NULL,
  mantissa INTEGER NOT NULL,      -- The value is mantissa * 10 ^ exponent, so sums are exact.
  exponent INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  orders INTEGER NOT NULL,
  before REAL,                    -- The last earlier value in the same unit that differs.
  PRIMARY KEY (client, superseded, material, begun)
) STRICT, WITHOUT ROWID;
CREATE INDEX balance_of_material ON balance (client, material, begun);

-- The last known balances of each material and unit, added up. Each unit that a material ever had is here.
CREATE TABLE total (
  material INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  warehouses INTEGER NOT NULL,    -- The number of balances added. It may be 0.
  digits TEXT NOT NULL,           -- The exact sum.
  PRIMARY KEY (material, unit)
) STRICT, WITHOUT ROWID;

-- Change timestamps. `timestamp_text` is on the client's clock, as it was sent.
CREATE TABLE change (
  client INTEGER NOT NULL,
  timestamp_text TEXT NOT NULL,
  received_at INTEGER,
  request_id TEXT NOT NULL,
  PRIMARY KEY (client, timestamp_text)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_by_time ON change (received_at);

-- Rows of both lists, as they are now. `list` is MaterialCodes or PurchaseOrders.
CREATE TABLE list_row (
  list TEXT NOT NULL,
  identifier TEXT NOT NULL,
  sort_key BLOB NOT NULL,
  folded TEXT NOT NULL,
  attributes TEXT NOT NULL,       -- A JSON object, without the identifier.
  PRIMARY KEY (list, sort_key)
) STRICT, WITHOUT ROWID;

-- Names of attributes of both lists, in the order in which people read them.
CREATE TABLE attribute (
  id INTEGER PRIMARY KEY,
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL              -- `number` if all values are numbers that SQLite keeps exactly, or `text`.
) STRICT;
-- Attributes of the material codes, for tables of balances.
CREATE TABLE material_attribute (
  attribute INTEGER NOT NULL,
  material INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (attribute, material)
) STRICT, WITHOUT ROWID;

-- What the checks found in the latest batches. For another moment, a temporary table of this name hides it.
CREATE TABLE finding (
  id INTEGER PRIMARY KEY,         -- In the order in which people read findings.
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  client INTEGER,                 -- Null if the finding concerns several warehouses, or none.
  subject TEXT NOT NULL,          -- A material code, an order, a unit, a client or a batch.
  since INTEGER,                  -- The first batch that showed the finding.
  instant INTEGER,                -- The batch that shows the finding.
  detail TEXT NOT NULL,
  advice TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 1 -- More than 1 where one row stands for many findings of a kind.
) STRICT;
-- The materials that a finding is about.
CREATE TABLE finding_material (
  finding INTEGER NOT NULL,
  material INTEGER NOT NULL,
  PRIMARY KEY (finding, material)
) STRICT, WITHOUT ROWID;
