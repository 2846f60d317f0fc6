import * as v from 'valibot';
import { isRecord } from '../http/json.ts';
import {
  MAX_BALANCE,
  MAX_BATCH_ENTRIES,
  MAX_MATERIAL_CODE_LENGTH,
  MAX_PURCHASE_ORDERS_PER_ENTRY,
  MAX_UNIT_LENGTH,
  MIN_BALANCE_MAGNITUDE,
} from '../limits.ts';

/** `toLocaleString` would load all languages at every cold start. */
const withThousandsSeparators = (count: number) => String(count).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ',');

export const MaterialCode = v.pipe(
  v.string('MaterialCode must be a string.'),
  v.regex(
    new RegExp(`^[\\p{L}\\p{M}\\p{Nd}/,-]{1,${MAX_MATERIAL_CODE_LENGTH}}$`, 'u'),
    `MaterialCode must have 1 to ${MAX_MATERIAL_CODE_LENGTH} characters: letters of any script, digits, "/", "-" and ",". Spaces and other characters are not allowed.`,
  ),
);

export const StockBalance = v.pipe(
  v.number('StockBalance must be a JSON number, without quotes.'),
  v.check(
    (balance) => Math.abs(balance) <= MAX_BALANCE,
    `StockBalance must be between -${withThousandsSeparators(MAX_BALANCE)} and ${withThousandsSeparators(MAX_BALANCE)}. Larger amounts cannot be stored exactly.`,
  ),
  v.check(
    (balance) => balance === 0 || Math.abs(balance) >= MIN_BALANCE_MAGNITUDE,
    `StockBalance is too close to zero: the smallest amount that can be stored is ${MIN_BALANCE_MAGNITUDE}. Send 0 if there is no stock.`,
  ),
);

export const StockBalanceUnit = v.pipe(
  v.string('StockBalanceUnit must be a string such as "kg".'),
  v.regex(
    // Lone surrogates and the replacement character are signs of damaged text.
    new RegExp(`^[^\\p{Cc}\\p{Cs}\\uFFFD]{1,${MAX_UNIT_LENGTH}}$`, 'u'),
    `StockBalanceUnit must have 1 to ${MAX_UNIT_LENGTH} characters of valid UTF-8, without control characters.`,
  ),
);

export const PurchaseOrder = v.pipe(
  v.string('A purchase order must be a string: OT and seven digits.'),
  v.regex(/^OT[0-9]{7}$/, 'A purchase order must be OT and seven digits, such as OT1234567.'),
);

const isEmptyObject = (value: unknown): value is Record<string, never> =>
  isRecord(value) && Object.keys(value).length === 0;

const EXPECTED_ORDERS = `PurchaseOrders must be an array of 1 to ${MAX_PURCHASE_ORDERS_PER_ENTRY} purchase orders, or the empty object {} if there are none`;

/** Lua programs write an empty array as an empty object. */
export const PurchaseOrders = v.union(
  [
    v.pipe(
      v.array(PurchaseOrder),
      v.minLength(1, 'PurchaseOrders is an empty array. Send the empty object {} if there are none.'),
      v.maxLength(MAX_PURCHASE_ORDERS_PER_ENTRY, `${EXPECTED_ORDERS}. This array is longer.`),
    ),
    v.pipe(
      v.custom<Record<string, never>>(isEmptyObject, `${EXPECTED_ORDERS}.`),
      v.transform((): string[] => []),
    ),
  ],
  `${EXPECTED_ORDERS}.`,
);

export const StockBalanceEntry = v.strictObject(
  { MaterialCode, StockBalance, StockBalanceUnit, PurchaseOrders },
  'An entry must be a JSON object with MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders.',
);
export type StockBalanceEntry = v.InferOutput<typeof StockBalanceEntry>;

const codeOf = (entry: unknown) => (isRecord(entry) ? entry['MaterialCode'] : undefined);

const requireUniqueCodes = <TEntry>() =>
  v.rawCheck<TEntry[]>(({ dataset, addIssue }) => {
    // Usually, no code is repeated, and the check ends here. An entry may be wrong, so codeOf accepts anything.
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
        message: `This MaterialCode is already in entry ${first} (counted from 0). Send one entry per material.`,
        path: [
          { type: 'array', origin: 'value', input: dataset.value, key: index, value: entry },
          { type: 'object', origin: 'value', input: {}, key: 'MaterialCode', value: code },
        ],
      });
    }
  });

export const BATCH_TOO_LONG = `A batch can have at most ${withThousandsSeparators(MAX_BATCH_ENTRIES)} entries. Send fewer entries in one request.`;

/** `validate` checks this limit before the entries. It refuses a longer batch with a 413. */
const batchLimit = {
  ...v.maxLength<StockBalanceEntry[], number, string>(MAX_BATCH_ENTRIES, BATCH_TOO_LONG),
  isSizeLimit: true,
};

export const StockBalanceBatch = v.strictObject(
  {
    MaterialCodes: v.pipe(
      v.array(StockBalanceEntry, 'MaterialCodes must be an array of entries, one per material.'),
      v.minLength(1, 'MaterialCodes is empty. Send at least one entry.'),
      batchLimit,
      requireUniqueCodes(),
    ),
  },
  'The body must be a JSON object with exactly one field: MaterialCodes.',
);
export type StockBalanceBatch = v.InferOutput<typeof StockBalanceBatch>;
