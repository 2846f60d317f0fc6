/** Everything is served below this path, under whatever base URL the deployment prints. */
const PATH_PREFIX = '/rest/warehouse-control';

/** The four operations, by the name of the file in functions/ that serves each. */
export const operations = {
  'post-change': { method: 'POST', path: `${PATH_PREFIX}/changes` },
  'get-material-codes': { method: 'GET', path: `${PATH_PREFIX}/material-codes` },
  'get-purchase-orders': { method: 'GET', path: `${PATH_PREFIX}/purchase-orders` },
  'post-material-stock-balance': { method: 'POST', path: `${PATH_PREFIX}/material-stock-balance` },
} as const;

export type OperationName = keyof typeof operations;
