import { isRecord } from '../../../shared/schemas/json.ts';
import { batchOf, escaped, jsonOf, twice } from '../bodies.ts';
import type { Check } from '../check.ts';
import { expectChange, expectProblem, expectSnapshot } from '../expectations.ts';
import { ok, Wrong } from '../outcome.ts';
import type { Told } from '../probe-client.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const MARK = 'compare with functions/http/json-body.ts, and deploy again';
const UTF8 = 'find the proxy that changes bodies, or deploy again';

export const byteOrderMark: Check = {
  name: 'byte-order-mark',
  signsIn: true,
  writes: { changes: 1, snapshots: 1 },
  run: async (visit) => {
    const Timestamp = visit.service.records.newTimestamp();
    const change = await visit.post('post-change', BYTE_ORDER_MARK + jsonOf({ Timestamp }));
    expectChange(change, Timestamp, MARK);
    const batch = BYTE_ORDER_MARK + jsonOf(batchOf(3));
    expectSnapshot(await visit.post('post-material-stock-balance', batch), 3, MARK);
    return ok('taken before the JSON of both POSTs');
  },
};

export const cyrillic: Check = {
  name: 'cyrillic',
  signsIn: true,
  writes: { snapshots: 2 },
  run: async (visit) => {
    const raw = jsonOf(batchOf(5));
    for (const body of [raw, escaped(raw)]) {
      expectSnapshot(await visit.post('post-material-stock-balance', body), 5, UTF8);
    }
    const code = 'Сталь-10/А';
    // The first as it is, the second in escapes: whoever reads them alike finds the code twice.
    const [first = '', second = ''] = jsonOf(twice(code)).split(/(?<=\}),(?=\{)/);
    expectDuplicate(await visit.post('post-material-stock-balance', `${first},${escaped(second)}`));
    return ok('taken raw and in \\u escapes, and both are read as the same code');
  },
};

const expectDuplicate = (told: Told) => {
  const { errors, errorCount } = expectProblem(told, 400, UTF8);
  const [fault]: unknown[] = Array.isArray(errors) ? errors : [];
  const pointer = isRecord(fault) ? fault['pointer'] : undefined;
  if (errorCount === 1 && pointer === '#/MaterialCodes/1/MaterialCode') return;
  throw new Wrong(
    `one code raw and in escapes was refused at ${told.quote(String(pointer))}, not as a duplicate`,
    UTF8,
  );
};
