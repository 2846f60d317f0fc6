import { gunzipSync, gzipSync } from 'node:zlib';
import { LONGEST_ANSWER_BYTES } from '../../../admin/doctor/exchange.ts';
import {
  all,
  type Case,
  changed,
  edited,
  HTML,
  header,
  holds,
  instead,
  isBatch,
  isCodes,
  isLarger,
  json,
  LIMITED,
  one,
  packed,
  to,
} from './spoiling.ts';

/** Of the operations: what is taken, what is refused, and how it is answered. */
export const operationFaults: Case[] = [
  one(
    'change',
    'is answered with 201',
    changed(to('/changes'), (reply) => ({ ...reply, status: reply.status === 200 ? 201 : reply.status })),
    /answered 201 .*; compare with functions\/post-change\.ts/,
  ),
  one(
    'change',
    'is answered with more than the Timestamp',
    changed(
      to('/changes'),
      edited((body) => ({ ...body, Kept: true })),
    ),
    /answered 200 "\{.*, not the Timestamp alone; .*deploy again/,
  ),
  one(
    'change',
    'is answered in a packed form that nobody asked for',
    changed(header('accept-encoding', ''), packed),
    /came packed \("gzip"\) although gzip was not asked for; a proxy or CDN/,
  ),
  one(
    'wrong-json',
    'crashes the function',
    instead(holds(',000Z"'), json(500, { detail: 'Failed.', requestId: 'abc-1' })),
    /answered 500 "Failed\."; find the requestId "abc-1" in the function's log/,
  ),
  one(
    'material-codes',
    'are not sorted',
    instead(isCodes, json(200, { MaterialCodes: [{ MaterialCode: 'Ё' }, { MaterialCode: 'a' }] })),
    /"a" comes after "Ё": the rows are not sorted, or not unique; .*catalog-reader\.ts/,
  ),
  one(
    'material-codes',
    'are not unique',
    instead(isCodes, json(200, { MaterialCodes: [{ MaterialCode: 'a' }, { MaterialCode: 'a' }] })),
    /"a" comes after "a".*; compare with/,
  ),
  one(
    'material-codes',
    'are a page',
    instead(isCodes, HTML),
    /as "text\/html" "<html>\\u001b\[31mhello.*; check --base-url/,
  ),
  one(
    'purchase-orders',
    'have another name',
    changed(
      to('/purchase-orders'),
      edited(() => ({ Orders: [] })),
    ),
    /without an array PurchaseOrders; compare with/,
  ),
  one(
    'purchase-orders',
    'have a row without its key',
    instead(to('/purchase-orders'), json(200, { PurchaseOrders: [{ Name: 'x' }] })),
    /has a row without PurchaseOrder; find it in the table/,
  ),
  one(
    'header-case',
    'matters to a proxy',
    instead(({ headerNames }) => headerNames.includes('AUTHORIZATION'), json(400, 'Bad header')),
    /answered 400 "Bad header"; find the proxy/,
  ),
  one(
    'content-type',
    'is not looked at',
    instead(header('content-type', 'text/plain'), json(200, {})),
    /POST changes answered 200 .*; compare with functions\/http\/json-body\.ts/,
  ),
  one(
    'byte-order-mark',
    'is taken for a sign',
    instead(holds('\uFEFF'), json(500, { message: 'Internal server error' })),
    /answered 500 "Internal server error"; look into the function's log/,
  ),
  one(
    'cyrillic',
    'is read in two ways',
    instead(holds('Сталь'), json(200, { SnapshotId: 'x', ReceivedAt: 'y', EntryCount: 2 })),
    /answered 200 .*; find the proxy that changes bodies/,
  ),
  one(
    'refused-batch',
    'names but one fault',
    changed(
      holds('A B'),
      edited((body) => ({ ...body, errorCount: 1, errors: [body['errors']].flat().slice(0, 1) })),
    ),
    /6 of 7 faults are not named, such as #\/MaterialCodes\/0\/PurchaseOrders; compare with shared\/schemas\/stock-balance\.ts/,
  ),
  one(
    'refused-batch',
    'counts wrongly',
    changed(
      holds('A B'),
      edited((body) => ({ ...body, errorCount: 8 })),
    ),
    /errorCount is "8" and 7 are named; compare/,
  ),
  one(
    'gzip-answer',
    'is never packed',
    { reply: (asked, pass) => pass(isBatch(asked) ? { headers: { 'accept-encoding': 'identity' } } : {}) },
    /bytes came plain although gzip was asked for; deploy again \(minCompressionSize/,
  ),
  one(
    'gzip-answer',
    'is packed for everybody',
    changed(
      all(isBatch, ({ headers }) => headers['accept-encoding'] !== 'gzip'),
      packed,
    ),
    /came packed .* not asked for; a proxy or CDN/,
  ),
  one(
    'gzip-answer',
    'unpacks to far more than any answer is',
    changed(all(isBatch, header('accept-encoding', 'gzip')), (reply) => ({
      ...reply,
      bytes: gzipSync(Buffer.concat([gunzipSync(reply.bytes), Buffer.alloc(LONGEST_ANSWER_BYTES, ' ')])),
    })),
    /says gzip and cannot be unpacked to JSON; deploy again/,
  ),
  one(
    'gzip-answer',
    'says that it is packed and is not',
    changed(all(isBatch, header('accept-encoding', 'gzip')), (reply) => ({
      ...reply,
      bytes: Buffer.from('plain'),
    })),
    /says gzip and cannot be unpacked to JSON; deploy again/,
  ),
  one(
    'gzip-request',
    'is not unpacked',
    instead(all(isBatch, header('content-encoding', 'gzip')), json(400, 'no JSON')),
    /answered 400 "no JSON"; deploy again \(minCompressionSize/,
  ),
  one(
    'batch-21kb',
    'is too large for a firewall',
    instead(all(isBatch, isLarger(16_000)), json(403, { message: 'Forbidden' })),
    /answered 403 "Forbidden"; a firewall \(WAF\) in front/,
  ),
  one(
    'batch-21kb',
    'is sent to another address',
    instead(all(isBatch, isLarger(16_000)), json(301, '')),
    /answered 301; give the address that it redirects to, with https/,
  ),
  one(
    'batch-21kb',
    'is answered with another count',
    changed(
      isBatch,
      edited((body) => ({ ...body, EntryCount: 199 })),
    ),
    /answered EntryCount "199" for 200 entries; another version is deployed/,
  ),
  one(
    'too-many',
    'are refused as wrong',
    instead(isLarger(50_000), json(400, { detail: 'Wrong.' })),
    /answered 400 "Wrong\."; compare with shared\/schemas\/limits\.ts/,
  ),
  one(
    'batch-3mb',
    'is too large for the platform',
    instead(isLarger(1_000_000), json(413, { message: 'Request Too Long' })),
    /answered 413 "Request Too Long"; a firewall \(WAF\) in front/,
  ),
  one(
    'change',
    'is throttled for good',
    instead(to('/changes'), LIMITED),
    /answered 429 "Limit Exceeded"; others use up the throttle/,
  ),
];
