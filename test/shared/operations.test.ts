import { expect, it } from 'vitest';
import { operations } from '../../shared/operations.ts';

it.each([
  ['post-change', 'POST', '/rest/warehouse-control/changes'],
  ['get-material-codes', 'GET', '/rest/warehouse-control/material-codes'],
  ['get-purchase-orders', 'GET', '/rest/warehouse-control/purchase-orders'],
  ['post-material-stock-balance', 'POST', '/rest/warehouse-control/material-stock-balance'],
] as const)('%s is %s %s, as in the specification', (name, method, path) => {
  expect(operations[name]).toMatchObject({ method, path });
});
