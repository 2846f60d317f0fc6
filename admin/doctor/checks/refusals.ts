import { isRecord } from '../../../shared/schemas/json.ts';
import { batchOf, jsonOf } from '../bodies.ts';
import type { Check } from '../check.ts';
import { expectChange, expectProblem } from '../expectations.ts';
import { ok, Wrong } from '../outcome.ts';

const RULES = 'compare with shared/schemas/stock-balance.ts, and deploy again';
const TYPES = 'compare with functions/http/json-body.ts, and deploy again';

const FAULTY = {
  MaterialCodes: [
    { MaterialCode: 'A B', StockBalance: '7', StockBalanceUnit: 'kg', PurchaseOrders: [] },
    { MaterialCode: 'ABC-1', StockBalance: 1, PurchaseOrders: ['OT1'], Extra: 1 },
    7,
  ],
};
const POINTERS = [
  '#/MaterialCodes/0/MaterialCode',
  '#/MaterialCodes/0/PurchaseOrders',
  '#/MaterialCodes/0/StockBalance',
  '#/MaterialCodes/1/Extra',
  '#/MaterialCodes/1/PurchaseOrders/0',
  '#/MaterialCodes/1/StockBalanceUnit',
  '#/MaterialCodes/2',
];

export const refusedBatch: Check = {
  name: 'refused-batch',
  signsIn: true,
  run: async (visit) => {
    const told = await visit.post('post-material-stock-balance', jsonOf(FAULTY));
    const { errors, errorCount } = expectProblem(told, 400, RULES);
    const pointers = (Array.isArray(errors) ? errors : []).map((each: unknown) =>
      isRecord(each) && typeof each['detail'] === 'string' ? String(each['pointer']) : '',
    );
    const missing = POINTERS.filter((pointer) => !pointers.includes(pointer));
    if (missing.length > 0) {
      throw new Wrong(`${missing.length} of 7 faults are not named, such as ${missing[0]}`, RULES);
    }
    if (errorCount !== POINTERS.length || pointers.length !== POINTERS.length) {
      const count = told.quote(String(errorCount));
      throw new Wrong(`7 faults were sent, errorCount is ${count} and ${pointers.length} are named`, RULES);
    }
    return ok('400, all 7 faults named with their places');
  },
};

const OTHER_TYPES = ['text/plain', 'application/x-www-form-urlencoded'];
const ODD_TYPE = 'Application/JSON; Charset=UTF-8';

export const contentType: Check = {
  name: 'content-type',
  signsIn: true,
  writes: { changes: 1 },
  run: async (visit) => {
    const Timestamp = visit.service.records.newTimestamp();
    const change = jsonOf({ Timestamp });
    for (const type of OTHER_TYPES) {
      const headers = { 'Content-Type': type };
      expectProblem(await visit.post('post-change', change, headers), 415, TYPES);
      const batch = jsonOf(batchOf(1));
      expectProblem(await visit.post('post-material-stock-balance', batch, headers), 415, TYPES);
    }
    const odd = await visit.post('post-change', change, { 'Content-Type': ODD_TYPE });
    expectChange(odd, Timestamp, TYPES);
    return ok(`415 for plain text and forms; ${ODD_TYPE} is taken`);
  },
};
