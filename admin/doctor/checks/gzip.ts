import { gunzipSync, gzipSync } from 'node:zlib';
import { grouped } from '../../cli/words.ts';
import { batchOf, jsonOf } from '../bodies.ts';
import type { Check } from '../check.ts';
import { LONGEST_ANSWER_BYTES } from '../exchange.ts';
import { expectChange, expectPlain, expectProblem, expectSnapshot, expectStatus } from '../expectations.ts';
import { ok, Wrong } from '../outcome.ts';
import type { Told } from '../probe-client.ts';

const COMPRESSION = 'deploy again (minCompressionSize), or find the proxy that unpacks';
const PACKED = { 'Content-Encoding': 'gzip' };

/** Refused, since that makes an answer that is large enough whatever the lists hold, and writes nothing. */
const LARGE_REFUSAL = jsonOf({ MaterialCodes: Array.from({ length: 120 }, () => ({})) });

export const gzipAnswer: Check = {
  name: 'gzip-answer',
  signsIn: true,
  run: async (visit) => {
    const ask = (headers = {}) => visit.post('post-material-stock-balance', LARGE_REFUSAL, headers);
    const plain = await ask();
    const without = [
      plain,
      await ask({ 'Accept-Encoding': '' }),
      await ask({ 'Accept-Encoding': 'identity' }),
    ];
    for (const told of without) expectPlain(told);
    const { errors } = expectProblem(plain, 400, 'compare with shared/schemas/validate.ts');
    const packed = await ask({ 'Accept-Encoding': 'gzip' });
    const unpacked = unpack(packed);
    if (jsonOf(expectProblem(unpacked, 400, COMPRESSION)['errors']) !== jsonOf(errors)) {
      throw new Wrong('the packed answer unpacks to another text than the plain one', COMPRESSION);
    }
    return ok(
      `${grouped(plain.bytes.byteLength)} bytes come as ${packed.bytes.byteLength}, and plain where not asked for`,
    );
  },
};

const unpack = (told: Told): Told => {
  const coding = told.headers['content-encoding'];
  if (coding !== 'gzip') {
    expectStatus(told, 400, COMPRESSION);
    const how = coding === undefined ? 'plain' : `as ${told.quote(coding)}`;
    throw new Wrong(
      `${grouped(told.bytes.byteLength)} bytes came ${how} although gzip was asked for`,
      COMPRESSION,
    );
  }
  try {
    const text = gunzipSync(told.bytes, { maxOutputLength: LONGEST_ANSWER_BYTES }).toString();
    return { ...told, text, json: JSON.parse(text) };
  } catch {
    throw new Wrong('the answer says gzip and cannot be unpacked to JSON', COMPRESSION);
  }
};

export const gzipRequest: Check = {
  name: 'gzip-request',
  signsIn: true,
  writes: { changes: 1, snapshots: 1 },
  run: async (visit) => {
    const Timestamp = visit.service.records.newTimestamp();
    const change = await visit.post('post-change', gzipSync(jsonOf({ Timestamp })), PACKED);
    expectChange(change, Timestamp, COMPRESSION);
    const batch = gzipSync(jsonOf(batchOf(20)));
    expectSnapshot(await visit.post('post-material-stock-balance', batch, PACKED), 20, COMPRESSION);
    for (const name of ['post-change', 'post-material-stock-balance'] as const) {
      expectProblem(await visit.post(name, 'no gzip', PACKED), 415, COMPRESSION);
    }
    return ok('taken on both POSTs; broken gzip is a 415');
  },
};
