import {
  testAuthorizer,
  testBatchAfter,
  testChange,
  testLastWrite,
  testList,
  useRun,
} from './killed-function.ts';

useRun();
testChange();
testList('PurchaseOrders', 'purchase-orders');
testAuthorizer();
testBatchAfter(2);
testLastWrite();
