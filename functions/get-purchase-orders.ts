import { tableName } from '../shared/environment.ts';
import type { ListAnswer } from '../shared/schemas/answers.ts';
import { bodilessApiHandler, ok } from './http/api-handler.ts';
import { type Catalog, catalogReader } from './store/catalog-reader.ts';
import { storeClient } from './store/store-client.ts';

type Deps = { catalog: Catalog };

export const createHandler = ({ catalog }: Deps) =>
  bodilessApiHandler().handler(async ({ signal }) => {
    const { rows, ...losses } = await catalog.list(signal);
    const body = { PurchaseOrders: rows } satisfies ListAnswer<'PurchaseOrders'>;
    return ok(body, { entryCount: rows.length, ...losses });
  });

export const handler = createHandler({
  catalog: catalogReader(storeClient(), 'PurchaseOrders', tableName('PurchaseOrders')),
});
