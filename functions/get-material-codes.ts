import type { MaterialCodesAnswer } from '../shared/answers.ts';
import { bodilessApiHandler, ok } from '../shared/api-handler.ts';
import { required, variables } from '../shared/environment.ts';
import { type Catalog, catalogStore } from '../shared/store/catalogs.ts';
import { storeClient } from '../shared/store/client.ts';

type Deps = { catalog: Catalog };

export const createHandler = ({ catalog }: Deps) =>
  bodilessApiHandler().handler(async ({ signal }) => {
    const MaterialCodes = await catalog.list(signal);
    return ok({ MaterialCodes } satisfies MaterialCodesAnswer, { entryCount: MaterialCodes.length });
  });

export const handler = createHandler({
  catalog: catalogStore(storeClient(), 'MaterialCodes', required(variables.materialCodesTable)),
});
