-- The stock of one deployment, on the admin's machine. All rows can be read again from the service.
-- A time is a text such as 2026-03-31T09:30:00.000Z. The id of a batch begins with its time of receipt, so the ids of a client are in the
-- order of receipt, and an id can be compared with a time. `begun`, `ended` and `superseded` are ids of batches,
-- or ~, which comes after every id.

-- Values for the whole file. `version` grows with each change.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value ANY
) STRICT, WITHOUT ROWID;

-- Clients, without their hashes. A client whose item is damaged, or was deleted by hand, has the item {}.
CREATE TABLE client (
  name TEXT PRIMARY KEY,
  is_warehouse INTEGER NOT NULL DEFAULT 0, -- 0: a removed client, or a client of the doctor if there are other clients.
  item TEXT NOT NULL DEFAULT '{}',         -- The item of the table Clients in JSON.
  -- All batches from this id on are in the table `batch`, until the newest there. Empty: all that the service has. Null: none was read.
  known_since TEXT,
  -- After days without a read, the newest batches are read first. Until the gap before them is filled, the batches from `older_since` to
  -- `older_until` are in the table, too.
  older_since TEXT,
  older_until TEXT
) STRICT, WITHOUT ROWID;

-- Batches that the service has.
CREATE TABLE batch (
  client TEXT NOT NULL,
  id TEXT NOT NULL,
  received_at TEXT NOT NULL,
  request_id TEXT NOT NULL,
  entries INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  expires_at TEXT,
  state TEXT NOT NULL,            -- `loaded`, or `damaged` (cannot be read).
  damage TEXT,
  PRIMARY KEY (client, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_by_id ON batch (id);

-- The last known balance of each material in each warehouse. An unchanged balance of many batches is one row.
CREATE TABLE balance (
  client TEXT NOT NULL,
  material TEXT NOT NULL,
  value REAL NOT NULL,
  decimals INTEGER NOT NULL,      -- Of the value, so that `round(sum(value), max(decimals))` is exact.
  unit TEXT NOT NULL,
  orders TEXT NOT NULL,           -- Separated by blanks, in the sequence that the client sent.
  begun TEXT NOT NULL,            -- The first batch that has this balance. Earlier ones may not be loaded.
  ended TEXT NOT NULL,            -- The batch that left out the material. ~ if none did.
  PRIMARY KEY (client, material)
) STRICT, WITHOUT ROWID;
CREATE INDEX balance_of_material ON balance (material, client);
CREATE INDEX balance_with_orders ON balance (orders) WHERE orders <> '';

-- Balances of earlier batches.
CREATE TABLE past (
  client TEXT NOT NULL,
  material TEXT NOT NULL,
  value REAL NOT NULL,
  decimals INTEGER NOT NULL,
  unit TEXT NOT NULL,
  orders TEXT NOT NULL,
  begun TEXT NOT NULL,
  ended TEXT NOT NULL,            -- The batch that changed the balance or left it out.
  superseded TEXT NOT NULL,       -- The batch with the next balance of the material.
  PRIMARY KEY (client, material, begun)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_of_material ON past (material, client);
CREATE INDEX past_by_next ON past (client, superseded);

-- Both, with ~ as `superseded` of the last known balances. All batches from `begun` until before `ended` have exactly this balance. SQLite
-- uses the indexes of both tables only if a column has one type in both.
CREATE VIEW period AS SELECT *, CAST('~' AS TEXT) AS superseded FROM balance UNION ALL SELECT * FROM past;

-- Change timestamps. `timestamp` is on the client's clock, as it was sent.
CREATE TABLE change (
  client TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  received_at TEXT NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (client, timestamp)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_by_time ON change (received_at);

-- Requests of the last day that the functions refused.
CREATE TABLE refusal (
  client TEXT NOT NULL,
  at TEXT NOT NULL,
  request_id TEXT NOT NULL,
  rule TEXT NOT NULL,             -- The first broken rule, such as `StockBalance: number`.
  PRIMARY KEY (client, at, request_id)
) STRICT, WITHOUT ROWID;

-- Rows of both lists, as they are now. `list` is MaterialCodes or PurchaseOrders.
CREATE TABLE list_row (
  list TEXT NOT NULL,
  identifier TEXT NOT NULL,
  folded TEXT NOT NULL,           -- The texts of the row, each on its own line.
  attributes TEXT NOT NULL,       -- A JSON object, without the identifier.
  PRIMARY KEY (list, identifier)
) STRICT, WITHOUT ROWID;

-- What was changed in the lists, as the service keeps it. An id begins with the time.
CREATE TABLE list_change (
  list TEXT NOT NULL,
  id TEXT NOT NULL,
  made_by TEXT NOT NULL,
  kind TEXT NOT NULL,             -- `import`, `edit`, `remove`, `restore`, `undo`, `outside`, or `base` (the whole list, as it was found).
  source TEXT,
  undoes TEXT,
  since TEXT,                     -- Of `outside`: the list was still without the change at this time.
  ended TEXT,                     -- Null: the change still runs, or has ended early.
  added INTEGER NOT NULL,         -- Rows that were written, or planned if the change has no end.
  changed INTEGER NOT NULL,
  renamed INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  not_written INTEGER NOT NULL,   -- Rows that somebody else had changed.
  expires_at TEXT,
  is_damaged INTEGER NOT NULL,    -- A part of the change is missing or damaged, so nobody knows its rows.
  PRIMARY KEY (list, id)
) STRICT, WITHOUT ROWID;

-- A line for each attribute of a changed row. A row that has no attribute is one line. A base has no lines.
CREATE TABLE list_line (
  list TEXT NOT NULL,
  change TEXT NOT NULL,
  identifier TEXT NOT NULL,
  attribute TEXT NOT NULL,        -- Empty if the row has none. A renamed row has a line whose attribute is the key.
  kind TEXT NOT NULL,             -- `added`, `changed`, `renamed` or `removed`.
  before TEXT,                    -- JSON, or null if the row did not have the attribute.
  after TEXT,
  is_written INTEGER NOT NULL,
  PRIMARY KEY (list, change, identifier, attribute)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_line_of_row ON list_line (identifier);
CREATE INDEX list_line_of_new_name ON list_line (after) WHERE kind = 'renamed';

-- Rows of both lists since the first base. All changes from `begun` until before `ended` left the row as it is here. Both are ids of
-- changes, or ~.
CREATE TABLE list_period (
  list TEXT NOT NULL,
  identifier TEXT NOT NULL,
  folded TEXT NOT NULL,
  attributes TEXT NOT NULL,
  begun TEXT NOT NULL,
  ended TEXT NOT NULL,
  PRIMARY KEY (list, identifier, begun)
) STRICT, WITHOUT ROWID;

-- Names of attributes of both lists, in the order in which people read them.
CREATE TABLE attribute (
  id INTEGER PRIMARY KEY,
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL              -- `number` if all values are numbers that SQLite keeps exactly, or `text`.
) STRICT;

-- The texts that searches look into. `kind` is material, client or orders, and unit for the filter of units. A material also has the texts
-- of its row in the list.
CREATE TABLE word (
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  folded TEXT NOT NULL,
  PRIMARY KEY (kind, text)
) STRICT, WITHOUT ROWID;

-- The marks of admins, as the service keeps them: an admin has told the warehouse of a kind of findings, or knows them until a time.
CREATE TABLE told (
  scope TEXT NOT NULL,
  kind TEXT NOT NULL,
  by TEXT NOT NULL,
  at TEXT NOT NULL,
  note TEXT NOT NULL,
  until TEXT,                     -- Null: told. After `at`: known until then. Otherwise, the mark was taken back.
  severity TEXT NOT NULL,         -- Of the kind when it was marked. A later version of the checks may find it worse.
  version INTEGER NOT NULL,
  PRIMARY KEY (scope, kind)
) STRICT, WITHOUT ROWID;

-- What the checks found in the latest batches. For another moment, a temporary table of this name hides it.
CREATE TABLE finding (
  id INTEGER PRIMARY KEY,         -- In the order in which people read findings.
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  scope TEXT NOT NULL,            -- Whom it concerns: a client, or a list, such as list:MaterialCodes. No client name has a colon.
  client TEXT,                    -- Null if the finding concerns several warehouses, or none.
  subject TEXT NOT NULL,          -- A material code, an order, a unit, a client or a batch. Empty if the row stands for many findings.
  since TEXT,                     -- The first batch that showed the finding, or the later change of the list. Of a late client, a time.
  batch TEXT,                     -- The batch that shows the finding.
  data TEXT NOT NULL,             -- A JSON object with what the sentences of the kind need.
  count INTEGER NOT NULL,         -- More than 1 where one row stands for many findings of a kind.
  materials TEXT                  -- The materials that it is about: an array in JSON, or null.
) STRICT;
