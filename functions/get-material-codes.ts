import { tableName } from '../shared/environment.ts';
import type { ListAnswer } from '../shared/schemas/answers.ts';
import { apiHandlerWithoutBody, ok } from './http/api-handler.ts';
import { type Catalog, catalogReader } from './store/catalog-reader.ts';
import { storeClient } from './store/store-client.ts';

type Deps = { catalog: Catalog };

export const createHandler = ({ catalog }: Deps) =>
  apiHandlerWithoutBody(async ({ signal }) => {
    const { rows, incompleteRowCount } = await catalog.list(signal);
    const body = { MaterialCodes: rows } satisfies ListAnswer<'MaterialCodes'>;
    return ok(body, { entryCount: rows.length, incompleteRowCount });
  });

export const handler = createHandler({
  catalog: catalogReader(storeClient(), 'MaterialCodes', tableName('MaterialCodes')),
});
