import { MAX_BATCH_ENTRIES } from '../../../shared/schemas/limits.ts';
import { grouped } from '../../cli/words.ts';
import { batchOf, jsonOf, shortBatchOf } from '../bodies.ts';
import type { Check } from '../check.ts';
import { expectProblem, expectSnapshot } from '../expectations.ts';
import { ok } from '../outcome.ts';

const LARGE = 'a firewall (WAF) in front must let large bodies pass';
const SLOW_MS = 20_000;

const kept = (bytes: number, count: number, milliseconds: number) => {
  const close = milliseconds > SLOW_MS ? '; the gateway gives up after 29 s' : '';
  return ok(
    `200, ${grouped(bytes)} bytes with ${grouped(count)} entries in ${grouped(milliseconds)} ms${close}`,
  );
};

const taken = (name: string, count: number, bodyOf: () => string, patience: number): Check => ({
  name,
  signsIn: true,
  writes: { snapshots: 1 },
  patience,
  run: async (visit) => {
    const body = bodyOf();
    const told = await visit.post('post-material-stock-balance', body);
    expectSnapshot(told, count, LARGE);
    return kept(Buffer.byteLength(body), count, told.milliseconds);
  },
});

export const batch21kb = taken('batch-21kb', 200, () => jsonOf(batchOf(200)), 1);

/** Uploading it may take a while on a slow line, before the service's own time begins. */
export const batch3mb = taken(
  'batch-3mb',
  MAX_BATCH_ENTRIES,
  () => jsonOf(shortBatchOf(MAX_BATCH_ENTRIES)),
  4,
);

export const tooMany: Check = {
  name: 'too-many',
  signsIn: true,
  run: async (visit) => {
    // Entries that could not be kept, should the limit be missing.
    const body = jsonOf({ MaterialCodes: Array.from({ length: MAX_BATCH_ENTRIES + 1 }, () => 0) });
    const told = await visit.post('post-material-stock-balance', body);
    const { detail } = expectProblem(told, 413, 'compare with shared/schemas/limits.ts, and deploy again');
    return ok(`413 ${told.quote(String(detail))}`);
  },
};
