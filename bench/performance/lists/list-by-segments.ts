import { createHandler } from '../../../functions/get-material-codes.ts';
import { catalogReader } from '../../../functions/store/catalog-reader.ts';
import { storeClient } from '../../../functions/store/client.ts';
import { required, variables } from '../../../shared/environment.ts';

/** The list of material codes, read by as many segments as the environment says, or else as it is deployed. */
const segments = Number(process.env['SEGMENTS']);
const options = segments > 0 ? { segments, startsInSegments: true } : {};

export const handler = createHandler({
  catalog: catalogReader(storeClient(), 'MaterialCodes', required(variables.materialCodesTable), options),
});
