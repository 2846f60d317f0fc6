/** Batches with long codes reach Lambda's limit of 6 MB first. */
export const MAX_BATCH_ENTRIES = 40_000;
export const MAX_PURCHASE_ORDERS_PER_ENTRY = 100;
export const MAX_MATERIAL_CODE_LENGTH = 256;
export const MAX_UNIT_LENGTH = 32;

/** A year. */
export const MAX_SILENCE_HOURS = 8_760;

/** Above 2^53 - 1, a double cannot hold every whole number. */
export const MAX_BALANCE = Number.MAX_SAFE_INTEGER;
/** The smallest magnitude that DynamoDB stores, apart from 0. */
export const MIN_BALANCE_MAGNITUDE = 1e-130;

export const MAX_LISTED_ERRORS = 100;

/** Lambda's limit is for the whole JSON that a function returns, not only the body in it. */
export const MAX_FUNCTION_RESPONSE_BYTES = 6_291_556;

/** Each part of a batch is an item. DynamoDB allows 409,600 bytes per item, including the keys and the other attributes. */
export const MAX_BALANCES_BYTES_PER_PART = 400_000;

/** More parts than any batch needs: a request of 6 MB makes at most 16 parts of 400,000 bytes. */
export const MAX_PARTS = 20;
