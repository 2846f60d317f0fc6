import type * as v from 'valibot';
import { MaterialCode, PurchaseOrder } from '../../../shared/schemas/stock-balance.ts';
import type { ListName } from '../../../shared/tables.ts';

/** The page of the console uses them, too. */
export const identifierSchemas: Record<ListName, v.GenericSchema> = {
  MaterialCodes: MaterialCode,
  PurchaseOrders: PurchaseOrder,
};
