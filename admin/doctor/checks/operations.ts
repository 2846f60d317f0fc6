import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_BATCH_ENTRIES } from '../../../shared/schemas/limits.ts';
import { counted, grouped } from '../../cli/words.ts';
import { CheckFailure, ok } from '../outcome.ts';
import { LONGEST_RESPONSE_BYTES } from '../probe/connection.ts';
import { expectChange, expectSnapshot, expectStatus, expectSuccess } from '../probe/expectations.ts';
import type { ProbeClient, ProbeResponse } from '../probe/probe-client.ts';

const DEPLOY = 'look into the log of the function, then deploy again';
const COMPRESSION = 'deploy again (minCompressionSize), or find the proxy that decompresses';
const COMPRESSING_PROXY = 'a proxy or CDN in between compresses: switch its compression off';
const LARGE_BODIES = 'allow large bodies in the firewall (WAF) in front';

type BatchEntries = { prefix: string; orders: string[] };

/** Cyrillic codes that no warehouse uses. An entry is about 105 bytes long. */
const USUAL: BatchEntries = { prefix: 'Док-', orders: ['OT0000001', 'OT0000002'] };
/** So short that the largest batch is about 3 MB long. */
const SHORT: BatchEntries = { prefix: 'D', orders: [] };

export const makeBatch = (count: number, { prefix, orders } = USUAL) =>
  JSON.stringify({
    MaterialCodes: Array.from({ length: count }, (_, index) => ({
      MaterialCode: `${prefix}${index}`,
      StockBalance: -index / 8,
      StockBalanceUnit: 'kg',
      PurchaseOrders: orders.length === 0 || index % 3 === 0 ? {} : orders.slice(index % 2),
    })),
  });

export const checkChange = async (client: ProbeClient) => {
  const Timestamp = client.session.written.newTimestamp(client.session.now());
  const response = await client.post('post-change', JSON.stringify({ Timestamp }));
  expectChange(response, Timestamp, DEPLOY);
  return ok(`200 with the Timestamp in ${response.milliseconds} ms`);
};

export const checkList = async (client: ProbeClient, operation: { method: 'GET'; path: string }) => {
  const response = await client.send(operation);
  const rows: unknown = Object.values(expectSuccess(response, DEPLOY))[0];
  if (!Array.isArray(rows)) throw new CheckFailure(`${response.label} answered 200 without a list`, DEPLOY);
  const bytes = grouped(response.bytes.byteLength);
  return ok(`200, ${counted(rows.length, 'row')}, ${bytes} bytes, ${response.milliseconds} ms`);
};

/** The response is long enough to be compressed. Nothing is written. */
const FAULTY_BATCH = JSON.stringify({ MaterialCodes: Array.from({ length: 120 }, () => ({})) });

export const checkGzipAnswer = async (client: ProbeClient) => {
  const sendFaults = async (headers: Record<string, string>) => {
    const response = await client.post('post-material-stock-balance', FAULTY_BATCH, headers);
    expectStatus(response, 400, COMPRESSION);
    return response;
  };
  for (const headers of [{}, { 'Accept-Encoding': '' }, { 'Accept-Encoding': 'identity' }]) {
    const { 'content-encoding': coding = 'identity' } = (await sendFaults(headers)).headers;
    if (coding !== 'identity')
      throw new CheckFailure('a response is compressed although gzip was not requested', COMPRESSING_PROXY);
  }
  const compressed = await sendFaults({ 'Accept-Encoding': 'gzip' });
  const size = `${grouped(unpack(compressed).byteLength)} bytes compressed to ${compressed.bytes.byteLength}`;
  return ok(`${size}; uncompressed if gzip is not requested`);
};

const unpack = ({ headers, bytes }: ProbeResponse) => {
  if (headers['content-encoding'] !== 'gzip') {
    const size = grouped(bytes.byteLength);
    throw new CheckFailure(`${size} bytes are not compressed although gzip was requested`, COMPRESSION);
  }
  try {
    const unpacked = gunzipSync(bytes, { maxOutputLength: LONGEST_RESPONSE_BYTES });
    JSON.parse(unpacked.toString());
    return unpacked;
  } catch {
    throw new CheckFailure(
      'the response has Content-Encoding gzip, but does not decompress to JSON',
      COMPRESSION,
    );
  }
};

export const checkGzipRequest = async (client: ProbeClient) => {
  const headers = { 'Content-Encoding': 'gzip' };
  const Timestamp = client.session.written.newTimestamp(client.session.now());
  const body = gzipSync(JSON.stringify({ Timestamp }));
  expectChange(await client.post('post-change', body, headers), Timestamp, COMPRESSION);
  const batch = gzipSync(makeBatch(20));
  const response = await client.post('post-material-stock-balance', batch, headers);
  expectSnapshot(response, 20, COMPRESSION);
  return ok('200 on both POSTs');
};

const checkBatch = async (client: ProbeClient, count: number, entries?: BatchEntries) => {
  const body = makeBatch(count, entries);
  const response = await client.post('post-material-stock-balance', body);
  expectSnapshot(response, count, LARGE_BODIES);
  const size = `${grouped(Buffer.byteLength(body))} bytes with ${grouped(count)} entries`;
  return ok(`200, ${size} in ${grouped(response.milliseconds)} ms`);
};

export const checkBatch21kb = (client: ProbeClient) => checkBatch(client, 200);

export const checkBatch3mb = (client: ProbeClient) => checkBatch(client, MAX_BATCH_ENTRIES, SHORT);
