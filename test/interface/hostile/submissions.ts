import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import {
  type Attempt,
  authorizationOf,
  BALANCES,
  CHANGES,
  harmless,
  jsonTypes,
  otherTypes,
} from './attempt.ts';
import { anyDocument, batch, change } from './documents.ts';
import { type Node, written } from './json-text.ts';
import { judgeBatch, judgeChange, type Verdict } from './reference.ts';

/** Invalid UTF-8: a lone byte, an overlong form, a surrogate, a code point past the last, a cut sequence. */
const BAD_UTF8 = [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
const TOKENS = ['"', ',', '}', ']', '\\', '\\u', '\u0000', '\uFEFF', '//', '0'];

const inserted = fc.oneof(
  fc.constantFrom(...BAD_UTF8),
  fc.constantFrom(...TOKENS).map((token) => [...Buffer.from(token)]),
  fc.array(fc.nat({ max: 255 }), { maxLength: 3 }),
);

/** Replaces some bytes at a random place, or cuts off the rest. */
const damaged = (bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(bytes, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 5 }), inserted, fc.boolean())
    .map(([whole, at, removed, added, isCutOff]) => {
      const from = Math.floor(at * whole.length);
      const [before, after] = [whole.subarray(0, from), whole.subarray(from + removed)];
      return isCutOff ? before : Buffer.concat([before, Buffer.from(added), after]);
    });

const otherwiseEncoded = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(text, fc.constantFrom<BufferEncoding>('utf8', 'latin1', 'utf16le'))
    .map(([json, encoding]) => Buffer.from(encoding === 'utf8' ? `\uFEFF${json}` : json, encoding));

const bodyOf = (document: fc.Arbitrary<Node>) => {
  const text = written(document);
  const bytes = text.map((json) => Buffer.from(json));
  return fc.oneof(
    { weight: 6, arbitrary: bytes },
    { weight: 2, arbitrary: damaged(bytes) },
    { weight: 1, arbitrary: otherwiseEncoded(text) },
    { weight: 1, arbitrary: written(anyDocument).map((json) => Buffer.from(json)) },
  );
};

/** How a body is compressed for sending. No `unpack` means that the service cannot decompress it. */
type Packing = {
  headers: Record<string, string>;
  pack: (plain: Buffer) => Buffer;
  unpack?: (packed: Buffer) => Buffer;
};
const asItIs = (bytes: Buffer) => bytes;
const zip = (bytes: Buffer) => gzipSync(bytes, { level: 1 });
const unzip = (bytes: Buffer) => gunzipSync(bytes);
const gzip = { 'Content-Encoding': 'gzip' };
const deflate = { 'Content-Encoding': 'deflate' };

const plainly: Packing = { headers: {}, pack: asItIs, unpack: asItIs };
const packings: Packing[] = [
  { headers: { 'Transfer-Encoding': 'chunked' }, pack: asItIs, unpack: asItIs },
  { headers: { 'Content-Encoding': 'identity' }, pack: asItIs, unpack: asItIs },
  { headers: gzip, pack: zip, unpack: unzip },
  { headers: { 'Content-Encoding': 'GZIP' }, pack: zip, unpack: unzip },
  { headers: gzip, pack: (plain) => zip(zip(plain)), unpack: unzip },
  { headers: gzip, pack: asItIs },
  { headers: gzip, pack: (plain) => zip(plain).subarray(0, -9) },
  { headers: gzip, pack: (plain) => deflateSync(plain) },
  { headers: deflate, pack: (plain) => deflateSync(plain), unpack: (packed) => inflateSync(packed) },
  { headers: deflate, pack: (plain) => deflateRawSync(plain) },
  { headers: deflate, pack: zip },
  { headers: { 'Content-Encoding': 'br' }, pack: asItIs },
];

const submissions = (path: string, document: fc.Arbitrary<Node>, judge: (bytes: Buffer) => Verdict) =>
  fc
    .tuple(
      bodyOf(document),
      harmless,
      fc.oneof({ weight: 12, arbitrary: jsonTypes }, { weight: 1, arbitrary: otherTypes }),
      fc.oneof(
        { weight: 5, arbitrary: fc.constant(plainly) },
        { weight: 1, arbitrary: fc.constantFrom(...packings) },
      ),
    )
    .map(([plain, headers, contentType, packing]): Attempt => {
      const body = packing.pack(plain);
      const isJson = /^application\/json *(;|$)/i.test(contentType);
      // An empty body is not decompressed.
      const unpack = body.byteLength === 0 ? asItIs : packing.unpack;
      const verdict = isJson && unpack ? judge(unpack(body)) : { status: 415 };
      return {
        what: `POST ${path}`,
        method: 'POST',
        path,
        headers: { 'Content-Type': contentType, ...headers, ...packing.headers },
        authorization: authorizationOf,
        body,
        statuses: [verdict.status],
        ...('keeps' in verdict ? { keeps: verdict.keeps } : {}),
      };
    });

export const changes = submissions(CHANGES, change, judgeChange);
export const batches = submissions(BALANCES, batch, judgeBatch);
