/** How each operation is called, and where. */
export const OPERATIONS = [
  ['POST', 'changes'],
  ['GET', 'material-codes'],
  ['GET', 'purchase-orders'],
  ['POST', 'material-stock-balance'],
] as const;
