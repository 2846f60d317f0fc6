import { expect, it } from 'vitest';
import { operations } from '../../shared/operations.ts';

it('The four operations are where the specification has them', () => {
  expect(operations).toEqual({
    'post-change': { method: 'POST', path: '/rest/warehouse-control/changes' },
    'get-material-codes': { method: 'GET', path: '/rest/warehouse-control/material-codes' },
    'get-purchase-orders': { method: 'GET', path: '/rest/warehouse-control/purchase-orders' },
    'post-material-stock-balance': {
      method: 'POST',
      path: '/rest/warehouse-control/material-stock-balance',
    },
  });
});
