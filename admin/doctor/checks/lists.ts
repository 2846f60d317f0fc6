import type { OperationName } from '../../../shared/operations.ts';
import { isRecord } from '../../../shared/schemas/json.ts';
import { counted, grouped } from '../../cli/words.ts';
import type { Check } from '../check.ts';
import { expectPlain, expectSuccess } from '../expectations.ts';
import { ok, Wrong } from '../outcome.ts';
import type { Told } from '../probe-client.ts';

type List = { name: string; operation: OperationName; field: string; key: string };

const checkOf = ({ name, operation, field, key }: List): Check => ({
  name,
  signsIn: true,
  run: async (visit) => {
    const told = await visit.get(operation);
    expectPlain(told);
    const codes = codesOf(told, field, key);
    const at = codes.findIndex((code, index) => index > 0 && code <= (codes[index - 1] ?? ''));
    if (at !== -1) {
      const [before = '', code = ''] = codes.slice(at - 1);
      throw new Wrong(
        `${told.quote(code)} comes after ${told.quote(before)}: the rows are not sorted, or not unique`,
        'compare with functions/store/catalog-reader.ts, and deploy again',
      );
    }
    const bytes = grouped(told.bytes.byteLength);
    return ok(`200, ${counted(codes.length, 'row')} in order, ${bytes} bytes, ${told.milliseconds} ms`);
  },
});

const codesOf = (told: Told, field: string, key: string) => {
  const { [field]: rows } = expectSuccess(told, "look into the function's log, then deploy again");
  if (!Array.isArray(rows)) {
    throw new Wrong(
      `${told.to} answered 200 without an array ${field}`,
      'compare with shared/storage/catalog.ts, and deploy again',
    );
  }
  return rows.map((row: unknown) => {
    const code = isRecord(row) ? row[key] : undefined;
    if (typeof code === 'string') return code;
    throw new Wrong(`${told.to} has a row without ${key}`, 'find it in the table and mend it there');
  });
};

export const materialCodes = checkOf({
  name: 'material-codes',
  operation: 'get-material-codes',
  field: 'MaterialCodes',
  key: 'MaterialCode',
});

export const purchaseOrders = checkOf({
  name: 'purchase-orders',
  operation: 'get-purchase-orders',
  field: 'PurchaseOrders',
  key: 'PurchaseOrder',
});
