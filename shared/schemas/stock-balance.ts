import * as v from 'valibot';
import { isRecord } from './json.ts';
import {
  MAX_BALANCE,
  MAX_BATCH_ENTRIES,
  MAX_MATERIAL_CODE_LENGTH,
  MAX_PURCHASE_ORDERS_PER_ENTRY,
  MAX_UNIT_LENGTH,
  MIN_BALANCE_MAGNITUDE,
} from './limits.ts';

/** Not by `toLocaleString`, which loads the languages of the world at every cold start. */
const inWords = (count: number) => String(count).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ',');

/** The rules of the values, which plain-batch.ts asks by themselves. */
export const patterns = {
  MaterialCode: new RegExp(`^[\\p{L}\\p{M}\\p{Nd}/,-]{1,${MAX_MATERIAL_CODE_LENGTH}}$`, 'u'),
  /** Lone surrogates and the replacement character tell of a text that was damaged on its way. */
  StockBalanceUnit: new RegExp(`^[^\\p{Cc}\\p{Cs}\\uFFFD]{1,${MAX_UNIT_LENGTH}}$`, 'u'),
  PurchaseOrder: /^OT[0-9]{7}$/,
};
export const isNotTooLarge = (balance: number) => Math.abs(balance) <= MAX_BALANCE;
export const isNotTooSmall = (balance: number) => balance === 0 || Math.abs(balance) >= MIN_BALANCE_MAGNITUDE;

export const MaterialCode = v.pipe(
  v.string('MaterialCode has to be a string.'),
  v.regex(
    patterns.MaterialCode,
    `MaterialCode takes 1 to ${MAX_MATERIAL_CODE_LENGTH} characters: letters of any script, digits, "/", "-" and ",". Spaces and other signs are not taken.`,
  ),
);

/** Kept as the shortest decimal that reads back the same, so what DynamoDB's numbers cannot hold is refused. */
export const StockBalance = v.pipe(
  v.number('StockBalance has to be a JSON number, without quotes.'),
  v.check(
    isNotTooLarge,
    `StockBalance has to lie between -${inWords(MAX_BALANCE)} and ${inWords(MAX_BALANCE)}; it could not be kept exactly beyond.`,
  ),
  v.check(
    isNotTooSmall,
    `StockBalance is nearer to zero than the ${MIN_BALANCE_MAGNITUDE} that can be kept; send 0 where none is meant.`,
  ),
);

export const StockBalanceUnit = v.pipe(
  v.string('StockBalanceUnit has to be a string such as "kg".'),
  v.regex(
    patterns.StockBalanceUnit,
    `StockBalanceUnit takes 1 to ${MAX_UNIT_LENGTH} characters of well-formed UTF-8, without control characters.`,
  ),
);

export const PurchaseOrder = v.pipe(
  v.string('A purchase order has to be a string: OT and seven digits.'),
  v.regex(patterns.PurchaseOrder, 'A purchase order has to be OT and seven digits, such as OT1234567.'),
);

export const isEmptyObject = (value: unknown): value is Record<string, never> =>
  isRecord(value) && Object.keys(value).length === 0;

const PURCHASE_ORDERS = `PurchaseOrders has to be an array of 1 to ${MAX_PURCHASE_ORDERS_PER_ENTRY} purchase orders, or the empty object {} for none`;

/** An empty table is an object in the clients' language; within the service, none is an empty list. */
export const PurchaseOrders = v.union(
  [
    v.pipe(
      v.array(PurchaseOrder),
      v.minLength(1, 'PurchaseOrders is an empty array; send the empty object {} for none.'),
      v.maxLength(MAX_PURCHASE_ORDERS_PER_ENTRY, `${PURCHASE_ORDERS}; this array is longer.`),
    ),
    v.pipe(
      v.custom<Record<string, never>>(isEmptyObject, `${PURCHASE_ORDERS}.`),
      v.transform((): string[] => []),
    ),
  ],
  `${PURCHASE_ORDERS}.`,
);

export const StockBalanceEntry = v.strictObject(
  { MaterialCode, StockBalance, StockBalanceUnit, PurchaseOrders },
  'An entry has to be a JSON object with MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders.',
);
export type StockBalanceEntry = v.InferOutput<typeof StockBalanceEntry>;

/** A list of anything that may carry a code; the same check serves a batch that is valid and one that is not. */
const codeOf = (entry: unknown) => (isRecord(entry) ? entry['MaterialCode'] : undefined);

const uniqueCodes = <TEntry>() =>
  v.rawCheck<TEntry[]>(({ dataset, addIssue }) => {
    if (!dataset.typed || new Set(dataset.value.map(codeOf)).size === dataset.value.length) return;
    const firstIndexOf = new Map<string, number>();
    for (const [index, entry] of dataset.value.entries()) {
      const code = codeOf(entry);
      if (typeof code !== 'string') continue;
      const first = firstIndexOf.get(code);
      if (first === undefined) {
        firstIndexOf.set(code, index);
        continue;
      }
      addIssue({
        message: `This MaterialCode stands in entry ${first} already (counted from 0); send one entry per material.`,
        path: [
          { type: 'array', origin: 'value', input: dataset.value, key: index, value: entry },
          { type: 'object', origin: 'value', input: {}, key: 'MaterialCode', value: code },
        ],
      });
    }
  });

export const BATCH_TOO_LONG = `A batch takes at most ${inWords(MAX_BATCH_ENTRIES)} entries; send fewer in one request.`;

/** The walker asks it before the entries: a batch past the limit is too large, not wrong. */
const batchLimit = {
  ...v.maxLength<StockBalanceEntry[], number, string>(MAX_BATCH_ENTRIES, BATCH_TOO_LONG),
  isSizeLimit: true,
};

export const StockBalanceBatch = v.strictObject(
  {
    MaterialCodes: v.pipe(
      v.array(StockBalanceEntry, 'MaterialCodes has to be an array of entries, one per material.'),
      v.minLength(1, 'MaterialCodes is empty; send at least one entry.'),
      batchLimit,
      uniqueCodes(),
    ),
  },
  'The body has to be a JSON object with the one field MaterialCodes.',
);
export type StockBalanceBatch = v.InferOutput<typeof StockBalanceBatch>;
