import { counted, joinFirstNames } from '../cli/words.ts';
import { type Comparison, describeSnapshots, type Latest } from './comparison.ts';
import type { Finding } from './finding.ts';

export const unlistedOrders = ({ orders, latest }: Comparison): Finding[] => {
  const listed = new Set(orders);
  return latest.flatMap(({ client, entries }) =>
    [...materialsByOrder(entries)]
      .filter(([order]) => !listed.has(order))
      .map(([order, codes]): Finding => {
        const materials = `${counted(codes.size, 'material')} (${joinFirstNames([...codes].sort())})`;
        return {
          kind: 'unlisted-order',
          client,
          subject: order,
          detail: `${materials} ${codes.size === 1 ? 'names' : 'name'} it, but it is not in the list. Add it to the list, or correct it in the warehouse system.`,
        };
      }),
  );
};

const materialsByOrder = (entries: Latest['entries']) => {
  const materials = new Map<string, Set<string>>();
  for (const { MaterialCode, PurchaseOrders } of entries) {
    for (const order of PurchaseOrders) {
      const codes = materials.get(order) ?? new Set();
      materials.set(order, codes.add(MaterialCode));
    }
  }
  return materials;
};

export const unusedOrders = ({ orders, latest, clients }: Comparison): Finding[] => {
  if (clients.length === 0) return [];
  const used = new Set(latest.flatMap(({ entries }) => entries.flatMap((entry) => entry.PurchaseOrders)));
  return orders
    .filter((order) => !used.has(order))
    .map((order) => ({
      kind: 'unused-order',
      client: '',
      subject: order,
      detail: `Is in the list, but no balance in ${describeSnapshots(clients)} names it. Remove it from the list if it is closed.`,
    }));
};
