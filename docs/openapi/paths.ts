import { type OperationName, operations } from '../../shared/operations.ts';
import { answers } from './examples.ts';
import { contentEncoding, everywhere, noStore } from './headers.ts';
import { ofPosts, requestBodies } from './requests.ts';
import { responseRef } from './responses.ts';
import { schemaRef } from './schemas.ts';

export const tags = {
  changes: { name: 'Changes', description: 'That something changed.' },
  lists: { name: 'Lists', description: 'What a warehouse may use; each list is complete, in one answer.' },
  balances: { name: 'Stock balances', description: 'What a warehouse has.' },
};

const done = (description: string, schema: Parameters<typeof schemaRef>[0], examples: object) => ({
  description,
  headers: { ...everywhere, ...noStore, ...contentEncoding },
  content: { 'application/json': { schema: schemaRef(schema), examples } },
});

const ofEveryOperation = {
  401: responseRef('Unauthorized'),
  403: responseRef('Forbidden'),
  429: responseRef('Throttled'),
  500: responseRef('Failed'),
  502: responseRef('Crashed'),
  503: responseRef('Unavailable'),
  504: responseRef('TimedOut'),
};

/** post-change is postChange: a name that programs can have. */
const idOf = (name: OperationName) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

const at = (name: OperationName, operation: object) => {
  const { method, path } = operations[name];
  return { [path]: { [method.toLowerCase()]: { operationId: idOf(name), ...operation } } };
};

export const paths = {
  ...at('post-change', {
    tags: [tags.changes.name],
    summary: 'Report a change',
    description:
      'Kept once per client and Timestamp. Sent again, it changes nothing and is answered the same, so that repeating it is always safe.',
    parameters: ofPosts,
    requestBody: requestBodies.change,
    responses: {
      200: done('The change is kept.', 'ChangeAnswer', answers.change),
      400: responseRef('ChangeRefused'),
      413: responseRef('TooManyBytes'),
      415: responseRef('NotJson'),
      ...ofEveryOperation,
    },
  }),
  ...at('get-material-codes', {
    tags: [tags.lists.name],
    summary: 'Read the material codes',
    description:
      'Every code, sorted, with whatever further attributes an admin stored with it. Takes no parameters and no body.',
    responses: {
      200: done('The whole list.', 'MaterialCodesAnswer', answers.materialCodes),
      ...ofEveryOperation,
    },
  }),
  ...at('get-purchase-orders', {
    tags: [tags.lists.name],
    summary: 'Read the purchase orders',
    description:
      'Every purchase order, sorted, with whatever further attributes an admin stored with it. Takes no parameters and no body.',
    responses: {
      200: done('The whole list.', 'PurchaseOrdersAnswer', answers.purchaseOrders),
      ...ofEveryOperation,
    },
  }),
  ...at('post-material-stock-balance', {
    tags: [tags.balances.name],
    summary: 'Submit stock balances',
    description:
      'One entry per material, kept whole as one snapshot, or refused whole with every fault named. Sent again, it is one more snapshot of the same content; nothing earlier is changed.',
    parameters: ofPosts,
    requestBody: requestBodies.batch,
    responses: {
      200: done('The batch is kept.', 'SnapshotAnswer', answers.snapshot),
      400: responseRef('BatchRefused'),
      413: responseRef('BatchTooLarge'),
      415: responseRef('NotJson'),
      ...ofEveryOperation,
    },
  }),
};
