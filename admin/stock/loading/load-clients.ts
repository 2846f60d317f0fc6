import type { DatabaseSync } from 'node:sqlite';
import { namesOf, readClientTable, withoutDoctors } from '../../clients/client-table.ts';
import type { Session } from '../../deployment/session.ts';
import { changeStock } from '../database/open-stock.ts';

/** Copies the clients from the service. Returns the clients to load: all warehouses, or `clientName`, which may be removed. */
export const loadClients = async (db: DatabaseSync, session: Session, clientName?: string) => {
  const table = await readClientTable(session);
  const current = namesOf(table);
  const warehouses = withoutDoctors(current);
  const items = new Map(table.clients.map((client) => [client.Client, client]));
  const names = [
    ...new Set([...items.keys(), ...table.damagedNames, ...(clientName === undefined ? [] : [clientName])]),
  ];
  changeStock(db, () => {
    // A row that stays the same is not written, because a write makes a new version.
    db.prepare(
      `UPDATE client SET is_warehouse = 0, item = '{}'
       WHERE (is_warehouse OR item <> '{}') AND name NOT IN (SELECT value FROM json_each(?))`,
    ).run(JSON.stringify(names));
    const write = db.prepare(
      `INSERT INTO client (name, is_warehouse, item) VALUES (:name, :isWarehouse, :item)
       ON CONFLICT (name) DO UPDATE SET is_warehouse = :isWarehouse, item = :item
       WHERE (is_warehouse, item) <> (:isWarehouse, :item)`,
    );
    const addWord = db.prepare(`INSERT OR IGNORE INTO word VALUES ('client', ?1, fold(?1))`);
    for (const name of names) {
      const item = JSON.stringify(items.get(name) ?? {});
      write.run({ name, isWarehouse: Number(warehouses.includes(name)), item });
      addWord.run(name);
    }
  });
  const clients = clientName === undefined ? warehouses : [clientName];
  const doctors = current.filter((name) => !warehouses.includes(name));
  return { clients, current, doctors: clientName === undefined ? doctors : [] };
};
