/** Fits the platform's 6 MB event with room for long codes. */
export const MAX_BATCH_ENTRIES = 40_000;
export const MAX_PURCHASE_ORDERS_PER_ENTRY = 100;
export const MAX_MATERIAL_CODE_LENGTH = 256;
export const MAX_UNIT_LENGTH = 32;

/** Above 2^53 - 1, a double skips whole numbers. */
export const MAX_BALANCE = Number.MAX_SAFE_INTEGER;
/** The smallest magnitude that DynamoDB stores, apart from 0. */
export const MIN_BALANCE_MAGNITUDE = 1e-130;

export const MAX_LISTED_FAULTS = 100;

/** The platform counts the whole JSON that a function returns. */
export const MAX_FUNCTION_ANSWER_BYTES = 6_291_556;

/** An item has at most 409,600 bytes with its keys and other attributes. */
export const MAX_BALANCES_BYTES_PER_ITEM = 400_000;

/** The most items that one batch can fill: its request has at most 6 MB, and an entry is no longer in the table. */
export const MAX_PARTS = 20;
