/** Batches of so many days are read, unless somebody asks for more. */
export const HORIZON_DAYS = 31;
