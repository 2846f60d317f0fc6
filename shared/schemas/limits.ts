/** What a batch, a list or an error may hold, and the platform's limits that these follow from. */

/** Fits the platform's 6 MB event with room for long codes. */
export const MAX_BATCH_ENTRIES = 40_000;
export const MAX_PURCHASE_ORDERS_PER_ENTRY = 100;
export const MAX_MATERIAL_CODE_LENGTH = 256;
export const MAX_UNIT_LENGTH = 32;

/** Past 2^53 - 1 a double skips whole numbers. */
export const MAX_BALANCE = Number.MAX_SAFE_INTEGER;
/** DynamoDB keeps no number nearer to zero than this. */
export const MIN_BALANCE_MAGNITUDE = 1e-130;

export const MAX_LISTED_FAULTS = 100;

/** What a function may answer with, counted on the JSON that it hands to the platform. */
export const MAX_FUNCTION_ANSWER_BYTES = 6_291_556;

/** An item may take 409,600 bytes with its keys; the rest is left to the attributes beside the balances. */
export const MAX_BALANCES_BYTES_PER_ITEM = 400_000;

/** The most items that one batch lies in: no entry takes more room in the table than in the request that brings it. */
export const MOST_PARTS = 20;
