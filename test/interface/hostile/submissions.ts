import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { basic } from '../../support/http-client.ts';
import { anyDocument, batch, change } from './documents.ts';
import { jsonTextOf, type Node } from './json-text.ts';
import { judgeBatch, judgeChange, type Verdict } from './reference.ts';

/** This text is in credentials and headers, so that a test can search the log for it. */
export const HEADER_MARKER = 'Kennwort9X';

type Credentials = { userName: string; password: string };

/** A request, and what the contract demands for it. */
export type Attempt = {
  title: string;
  method: string;
  /** Below the base URL. */
  path: string;
  headers: Record<string, string>;
  /** Called when the request is sent, so that no message of a failed test shows a password. */
  authorization?: (credentials: Credentials) => string | string[];
  body?: Buffer;
  statuses: readonly number[];
  keeps?: Extract<Verdict, { status: 200 }>['keeps'];
  /** The response is from the platform itself, without a template of this project. */
  isPlain?: boolean;
};

const PREFIX = '/rest/warehouse-control';
export const CHANGES = `${PREFIX}/changes`;
export const BALANCES = `${PREFIX}/material-stock-balance`;
export const LISTS = [`${PREFIX}/material-codes`, `${PREFIX}/purchase-orders`] as const;

export const authorizationOf = ({ userName, password }: Credentials) => basic(userName, password);

export const jsonTypes = fc.constantFrom('application/json', 'Application/JSON ; charset="UTF-8"');
export const otherTypes = fc.constantFrom('text/plain', 'text/json5', 'application/jsonx', 'json', '', '*/*');

/** No response may depend on these headers, apart from its compression. */
export const harmless: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom('Accept', 'Accept-Encoding', 'Cookie', 'Origin', 'X-HTTP-Method-Override', '__proto__'),
  fc.oneof(
    fc.constantFrom('', '*/*', 'gzip', 'identity', `a=${HEADER_MARKER}`, 'DELETE', 'x'.repeat(3_000)),
    fc.string({ unit: fc.constantFrom(...'abc;,="\\{}%\t '), maxLength: 30 }),
  ),
  { maxKeys: 3 },
);

export const query = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'abc=&%2F1[]?;+'), maxLength: 20 }).map((text) => `?${text}`),
);

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
  const text = jsonTextOf(document);
  const bytes = text.map((json) => Buffer.from(json));
  return fc.oneof(
    { weight: 6, arbitrary: bytes },
    { weight: 2, arbitrary: damaged(bytes) },
    otherwiseEncoded(text),
    jsonTextOf(anyDocument).map((json) => Buffer.from(json)),
  );
};

/** How a body is compressed for sending. Without `unpack`, the service cannot decompress the body. */
type Packing = readonly [
  headers: Record<string, string>,
  pack: (plain: Buffer) => Buffer,
  unpack?: (packed: Buffer) => Buffer,
];
const asItIs = (bytes: Buffer) => bytes;
const zip = (bytes: Buffer) => gzipSync(bytes, { level: 1 });
const unzip = (bytes: Buffer) => gunzipSync(bytes);
const gzip = { 'Content-Encoding': 'gzip' };
const deflate = { 'Content-Encoding': 'deflate' };

const plainly: Packing = [{}, asItIs, asItIs];
const packings: Packing[] = [
  [{ 'Transfer-Encoding': 'chunked' }, asItIs, asItIs],
  [{ 'Content-Encoding': 'identity' }, asItIs, asItIs],
  [gzip, zip, unzip],
  [{ 'Content-Encoding': 'GZIP' }, zip, unzip],
  [gzip, (plain) => zip(zip(plain)), unzip],
  [gzip, asItIs],
  [gzip, (plain) => zip(plain).subarray(0, -9)],
  [gzip, (plain) => deflateSync(plain)],
  [deflate, (plain) => deflateSync(plain), (packed) => inflateSync(packed)],
  [deflate, (plain) => deflateRawSync(plain)],
  [deflate, zip],
  [{ 'Content-Encoding': 'br' }, asItIs],
];

const submissions = (path: string, document: fc.Arbitrary<Node>, judge: (bytes: Buffer) => Verdict) =>
  fc
    .tuple(
      bodyOf(document),
      harmless,
      fc.oneof({ weight: 12, arbitrary: jsonTypes }, otherTypes),
      fc.oneof({ weight: 5, arbitrary: fc.constant(plainly) }, fc.constantFrom(...packings)),
    )
    .map(([plain, headers, contentType, [coding, pack, unpack]]): Attempt => {
      const body = pack(plain);
      const isJson = /^application\/json *(;|$)/i.test(contentType);
      // An empty body is not decompressed.
      const read = body.byteLength === 0 ? asItIs : unpack;
      return {
        title: `POST ${path}`,
        path,
        body,
        headers: { 'Content-Type': contentType, ...headers, ...coding },
        ...judged(isJson && read ? judge(read(body)) : { status: 415 }),
      };
    });

const judged = (verdict: Verdict | { status: 415 }) => ({
  method: 'POST',
  authorization: authorizationOf,
  statuses: [verdict.status],
  ...('keeps' in verdict ? { keeps: verdict.keeps } : {}),
});

export const changes = submissions(CHANGES, change, judgeChange);
export const batches = submissions(BALANCES, batch, judgeBatch);
