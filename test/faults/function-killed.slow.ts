import { testBatchAfter, testList, useRun } from './killed-function.ts';

useRun();
testList('MaterialCodes', 'material-codes');
for (const parts of [0, 1, 3]) testBatchAfter(parts);
