/** The same numbers from 0 to 1 for the same seed, so that every demo shows the same. */
export const randomFrom = (seed: number) => {
  let state = ((seed + 1) * 2_654_435_761) % 2 ** 32;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
};

export const round = (value: number, decimals: number) => Number(value.toFixed(decimals));
