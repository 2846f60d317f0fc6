import { namesOf, readClientTable, withoutDoctors } from '../../clients/client-table.ts';
import type { Session } from '../../deployment/session.ts';
import { changeStock, type Stock } from '../database/open-stock.ts';

export type LoadedClient = { id: number; name: string };

/** Copies the clients from the service. Returns the clients to load: all warehouses, or `clientName`, which may be removed. */
export const loadClients = async (stock: Stock, session: Session, clientName?: string) => {
  const { db, dictionaries } = stock;
  const table = await readClientTable(session);
  const current = namesOf(table);
  const warehouses = withoutDoctors(current);
  const items = new Map(table.clients.map((client) => [client.Client, client]));
  const names = [
    ...new Set([...items.keys(), ...table.damagedNames, ...(clientName === undefined ? [] : [clientName])]),
  ];
  changeStock(stock, () => {
    dictionaries.clients.addAll(names);
    // A row that stays the same is not written, because a write makes a new version.
    db.prepare(
      `UPDATE client SET is_warehouse = 0, item = '{}'
       WHERE (is_warehouse OR item <> '{}') AND name NOT IN (SELECT value FROM json_each(?))`,
    ).run(JSON.stringify(names));
    const update = db.prepare(
      `UPDATE client SET is_warehouse = :isWarehouse, item = :item
       WHERE id = :id AND (is_warehouse, item) <> (:isWarehouse, :item)`,
    );
    for (const name of names) {
      const item = JSON.stringify(items.get(name) ?? {});
      const isWarehouse = Number(warehouses.includes(name));
      update.run({ id: dictionaries.clients.idOf(name), isWarehouse, item });
    }
  });
  const clients = (clientName === undefined ? warehouses : [clientName]).map(
    (name): LoadedClient => ({ id: dictionaries.clients.idOf(name), name }),
  );
  const doctors = current.filter((name) => !warehouses.includes(name));
  return { clients, current, doctors: clientName === undefined ? doctors : [] };
};
