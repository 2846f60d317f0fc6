import type { Check } from '../check.ts';
import { batch3mb, batch21kb, tooMany } from './batches.ts';
import { change, wrongJson } from './changes.ts';
import { challenge, malformedCredentials, signIn, wrongPassword } from './credentials.ts';
import { clock, reach } from './edge.ts';
import { expectContinue } from './expect-continue.ts';
import { gzipAnswer, gzipRequest } from './gzip.ts';
import { http10 } from './http-1-0.ts';
import { materialCodes, purchaseOrders } from './lists.ts';
import { headerCase, keptConnection } from './old-http.ts';
import { unknownPath, unknownPathStranger } from './paths.ts';
import { contentType, refusedBatch } from './refusals.ts';
import { byteOrderMark, cyrillic } from './text.ts';
import { tls } from './tls.ts';

/** In the order in which they are tried: what others depend on comes first, what takes longest last. */
export const checks: readonly Check[] = [
  reach,
  tls,
  clock,
  challenge,
  wrongPassword,
  malformedCredentials,
  unknownPathStranger,
  signIn,
  unknownPath,
  change,
  wrongJson,
  materialCodes,
  purchaseOrders,
  headerCase,
  contentType,
  byteOrderMark,
  cyrillic,
  refusedBatch,
  gzipAnswer,
  gzipRequest,
  http10,
  keptConnection,
  expectContinue,
  batch21kb,
  tooMany,
  batch3mb,
];
