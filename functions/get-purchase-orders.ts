import { tableName } from '../shared/environment.ts';
import type { ListAnswer } from '../shared/schemas/answers.ts';
import { bodilessApiHandler, ok } from './http/api-handler.ts';
import { type Catalog, catalogReader } from './store/catalog-reader.ts';
import { storeClient } from './store/store-client.ts';

type Deps = { catalog: Catalog };

export const createHandler = ({ catalog }: Deps) =>
  bodilessApiHandler().handler(async ({ signal }) => {
    const PurchaseOrders = await catalog.list(signal);
    return ok({ PurchaseOrders } satisfies ListAnswer<'PurchaseOrders'>, {
      entryCount: PurchaseOrders.length,
    });
  });

export const handler = createHandler({
  catalog: catalogReader(storeClient(), 'PurchaseOrders', tableName('PurchaseOrders')),
});
