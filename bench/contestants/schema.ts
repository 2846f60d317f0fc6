import * as z from 'zod';

/** The contract's rules of a batch, written with zod and with zod's own messages. */

const PurchaseOrders = z.union([
  z
    .array(z.string().regex(/^OT[0-9]{7}$/))
    .min(1)
    .max(100),
  z.strictObject({}).transform((): string[] => []),
]);

const Entry = z.strictObject({
  MaterialCode: z.string().regex(/^[\p{L}\p{M}\p{Nd}/,-]{1,256}$/u),
  StockBalance: z
    .number()
    .min(-Number.MAX_SAFE_INTEGER)
    .max(Number.MAX_SAFE_INTEGER)
    .refine((balance) => balance === 0 || Math.abs(balance) >= 1e-130, 'Too close to zero to be stored'),
  StockBalanceUnit: z.string().regex(/^[^\p{Cc}\p{Cs}\uFFFD]{1,32}$/u),
  PurchaseOrders,
});
export type Entry = z.output<typeof Entry>;

export const StockBalanceBatch = z.strictObject({
  MaterialCodes: z
    .array(Entry)
    .min(1)
    .max(40_000)
    .superRefine((entries, context) => {
      const seen = new Set<string>();
      for (const [index, { MaterialCode }] of entries.entries()) {
        if (seen.has(MaterialCode)) {
          context.addIssue({
            code: 'custom',
            path: [index, 'MaterialCode'],
            message: 'Occurs in the batch already',
          });
        }
        seen.add(MaterialCode);
      }
    }),
});
