import type { PurchaseOrdersAnswer } from '../shared/answers.ts';
import { bodilessApiHandler, ok } from '../shared/api-handler.ts';
import { required, variables } from '../shared/environment.ts';
import { type Catalog, catalogStore } from '../shared/store/catalogs.ts';
import { storeClient } from '../shared/store/client.ts';

type Deps = { catalog: Catalog };

export const createHandler = ({ catalog }: Deps) =>
  bodilessApiHandler().handler(async ({ signal }) => {
    const PurchaseOrders = await catalog.list(signal);
    return ok({ PurchaseOrders } satisfies PurchaseOrdersAnswer, { entryCount: PurchaseOrders.length });
  });

export const handler = createHandler({
  catalog: catalogStore(storeClient(), 'PurchaseOrders', required(variables.purchaseOrdersTable)),
});
