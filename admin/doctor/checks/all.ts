import { operations } from '../../../shared/operations.ts';
import type { Check } from '../run-checks.ts';
import { checkChallenge, checkClock, checkReach, checkSignIn, checkWrongPassword } from './access.ts';
import { checkExpectContinue, checkHttp10, checkKeptConnection } from './connections.ts';
import {
  checkBatch3mb,
  checkBatch21kb,
  checkChange,
  checkGzipAnswer,
  checkGzipRequest,
  checkList,
} from './operations.ts';
import { checkTls } from './tls.ts';

const listChecks: Check[] = Object.values(operations)
  .filter((operation) => operation.method === 'GET')
  .map((operation) => ({
    name: operation.path.slice(operation.path.lastIndexOf('/') + 1),
    run: (client) => checkList(client, operation),
  }));

/** In the order in which they run. */
export const checks: readonly Check[] = [
  { name: 'reach', run: checkReach, blocks: 'the service is not reached (reach)' },
  { name: 'tls', run: checkTls },
  { name: 'clock', run: checkClock },
  { name: 'challenge', run: checkChallenge },
  { name: 'wrong-password', run: checkWrongPassword },
  { name: 'sign-in', run: checkSignIn, blocks: 'the credentials do not work (sign-in)' },
  { name: 'change', run: checkChange, writes: { changes: 1 } },
  ...listChecks,
  { name: 'gzip-answer', run: checkGzipAnswer },
  { name: 'gzip-request', run: checkGzipRequest, writes: { changes: 1, snapshots: 1 } },
  { name: 'http-1.0', run: checkHttp10 },
  { name: 'kept-connection', run: checkKeptConnection },
  { name: 'expect-continue', run: checkExpectContinue, writes: { snapshots: 1 } },
  { name: 'batch-21kb', run: checkBatch21kb, writes: { snapshots: 1 } },
  // The upload takes a while over a slow connection.
  { name: 'batch-3mb', run: checkBatch3mb, writes: { snapshots: 1 }, timeLimitFactor: 4 },
];
