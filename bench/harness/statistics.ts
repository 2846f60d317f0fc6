const byNumber = (one: number, other: number) => one - other;

export const median = (numbers: readonly number[]) => {
  const sorted = numbers.toSorted(byNumber);
  const [lower, upper] = [(sorted.length - 1) / 2, sorted.length / 2].map((at) => sorted[Math.floor(at)]);
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
};

export const rounded = (number: number, digits: number) => Number(number.toFixed(digits));

/** What repeated measurements of one thing came to. */
export type Spread = { min: number; median: number; max: number };

export const spreadOf = (numbers: readonly number[], digits = 2): Spread => ({
  min: rounded(Math.min(...numbers), digits),
  median: rounded(median(numbers), digits),
  max: rounded(Math.max(...numbers), digits),
});
