/** A key is a double, which has four digits of 16 bits. The sign is the first bit of the last digit. */
const DIGITS = 4;
const BASE = 0x1_0000;
const SIGN = BASE / 2;

/**
 * The indexes below `length` in the ascending order of their keys. Equal keys keep the order of `indexes`.
 * It sorts by digit, as a comparator needs three times as long for a million keys.
 */
export const sortIndexes = (
  length: number,
  keyOf: (index: number) => number,
  indexes: Uint32Array = Uint32Array.from({ length }, (_, index) => index),
) => {
  const digits = digitsOf(length, keyOf);
  let [sorted, spare] = [indexes.slice(), new Uint32Array(indexes.length)];
  for (let position = 0; position < DIGITS; position += 1) {
    // The digits of one position fit into the processor's cache.
    const values = new Uint16Array(length);
    for (let index = 0; index < length; index += 1) values[index] = digits[index * DIGITS + position] ?? 0;
    const places = placesOf(values);
    if (places === undefined) continue;
    for (const index of sorted) {
      const value = values[index] ?? 0;
      const place = places[value] ?? 0;
      places[value] = place + 1;
      spare[place] = index;
    }
    [sorted, spare] = [spare, sorted];
  }
  return sorted;
};

/** Where the indexes with each digit begin, or undefined if all have the same digit. */
const placesOf = (values: Uint16Array) => {
  const counts = new Uint32Array(BASE);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  if (counts.includes(values.length)) return undefined;
  let place = 0;
  return counts.map((count) => {
    place += count;
    return place - count;
  });
};

/** The digits of the keys, the least first, so that they have the order of the keys: IEEE 754 has a sign and a size. */
const digitsOf = (length: number, keyOf: (index: number) => number) => {
  const keys = new Float64Array(length);
  // Adding 0 makes 0 of −0.
  for (let index = 0; index < length; index += 1) keys[index] = keyOf(index) + 0;
  const digits = new Uint16Array(keys.buffer);
  for (let last = DIGITS - 1; last < digits.length; last += DIGITS) {
    if ((digits[last] ?? 0) < SIGN) digits[last] = (digits[last] ?? 0) + SIGN;
    else for (let digit = last - DIGITS + 1; digit <= last; digit += 1) digits[digit] = ~(digits[digit] ?? 0);
  }
  return digits;
};
