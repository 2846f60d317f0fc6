import { fill, type Service } from './program.ts';

const CODES = 4_000;
const ORDERS = 2_000;

const list = (name: string, key: string, rows: Record<string, string | number>[]) => {
  const sorted = rows.toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));
  return { table: name, rows, json: JSON.stringify({ [name]: sorted }) };
};

/** What the two tables are filled with, and the answer that it makes. */
const lists = {
  materialCodes: list(
    'MaterialCodes',
    'MaterialCode',
    Array.from({ length: CODES }, (_, index) => ({
      MaterialCode: `Сталь-ABC/${index}`,
      Name: `Лист ${index} мм`,
      Weight: index / 8,
    })),
  ),
  purchaseOrders: list(
    'PurchaseOrders',
    'PurchaseOrder',
    Array.from({ length: ORDERS }, (_, index) => ({
      PurchaseOrder: `OT${String(index * 17).padStart(7, '0')}`,
      Supplier: `Уралметалл ${index % 9}`,
    })),
  ),
};

export type Lists = typeof lists;

export const fillLists = async (service: Service): Promise<Lists> => {
  for (const { table, rows } of Object.values(lists)) await fill(service, table, rows);
  return lists;
};
