import { toItem } from '../../shared/clients/client.ts';
import { newClient } from '../../shared/clients/new-client.ts';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { newSnapshotId, type Snapshot } from '../../shared/storage/snapshot.ts';
import { DAY_MS, HOUR_MS } from '../../shared/time.ts';

type Size = { warehouses: number; balances: number; batches: number };
export const MORNING: Size = { warehouses: 30, balances: 5_000, batches: 14 };

const nameOf = (warehouse: number) => `lager-${String(warehouse).padStart(2, '0')}`;
const codeOf = (material: number) => `Kabel-${String(material).padStart(4, '0')}/A`;
const orderOf = (number: number) => `OT${4_500_000 + number}`;
const lengthOf = (length: number) => Array.from({ length }, (_, index) => index);

const ORDERS = 500;

/** The warehouses that something is wrong with. */
const IN_TONNES = 1;
const HALVED = 2;
const DECIMAL_POINT = 3;
const isUnlisted = (warehouse: number) => warehouse >= 5 && warehouse < 10;

/**
 * A bad morning: the last three of the warehouses are late, one sends everything in t since two days, one has lost 60 % of its last batch,
 * one the decimal point of a balance, and five send codes of their own for a fifth of their materials. Each sends once a day.
 */
export const makeMorning = ({ warehouses, balances, batches }: Size, now: Date) => {
  const unlisted = Math.floor(balances / 5);
  const isLate = (warehouse: number) => warehouse >= warehouses - 3;

  /** A tenth of the balances changes from batch to batch. */
  const entryOf = (warehouse: number, batch: number, material: number): StockBalanceEntry => {
    const changes = Math.floor((batch + (material % 10)) / 10);
    const kilograms = ((material * 7_919 + warehouse * 10_007) % 99_991) / 8 + 1 + changes;
    const isOwn = isUnlisted(warehouse) && material < unlisted;
    const entry = {
      MaterialCode: isOwn ? `Eigen-${warehouse}/${material}` : codeOf(material),
      StockBalance: kilograms,
      StockBalanceUnit: 'kg',
      PurchaseOrders: material % 4 === 0 ? [orderOf((material + warehouse) % ORDERS)] : [],
    };
    if (warehouse === IN_TONNES && batch >= batches - 2)
      return { ...entry, StockBalance: kilograms / 1_000, StockBalanceUnit: 't' };
    const hasNoPoint = warehouse === DECIMAL_POINT && batch === batches - 1 && material === 5;
    return hasNoPoint ? { ...entry, StockBalance: kilograms * 1_000 } : entry;
  };

  const snapshotOf = (warehouse: number, batch: number): Snapshot => {
    const days = batches - 1 - batch + (isLate(warehouse) ? 3 : 0);
    const receivedAt = new Date(now.getTime() - days * DAY_MS - HOUR_MS - warehouse * 60_000);
    const isHalved = warehouse === HALVED && batch === batches - 1;
    const entries = lengthOf(isHalved ? 0.4 * balances : balances).map((material) =>
      entryOf(warehouse, batch, material),
    );
    const snapshotId = newSnapshotId(receivedAt, 'morning');
    return { client: nameOf(warehouse), snapshotId, receivedAt, requestId: 'morning', entries };
  };

  const clientOf = (warehouse: number) => {
    const client = {
      name: nameOf(warehouse),
      password: 'NobodySignsInWithThisPasswordNow',
      plan: 'standard',
    };
    const added = newClient({ ...client, slot: warehouse + 1, now: new Date(now.getTime() - 30 * DAY_MS) });
    return toItem({ ...added, ChangedBy: 'morning', Version: 1 });
  };
  /** The oldest first. */
  const snapshots = lengthOf(batches * warehouses)
    .values()
    .map((index) => snapshotOf(index % warehouses, Math.floor(index / warehouses)));

  return {
    clients: lengthOf(warehouses).map(nameOf),
    items: {
      Clients: lengthOf(warehouses).map(clientOf),
      MaterialCodes: lengthOf(balances).map((material) => ({
        MaterialCode: { S: codeOf(material) },
        Unit: { S: 'kg' },
      })),
      PurchaseOrders: lengthOf(ORDERS).map((number) => ({ PurchaseOrder: { S: orderOf(number) } })),
    },
    snapshots,
    ...{ unlisted, inTonnes: nameOf(IN_TONNES), halved: nameOf(HALVED), decimalPoint: nameOf(DECIMAL_POINT) },
    late: lengthOf(warehouses).filter(isLate).map(nameOf),
  };
};
