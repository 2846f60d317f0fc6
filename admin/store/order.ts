/** Compares by a text, character by character, which is the order of the lists and of the keys in the tables. */
export const by =
  <T>(text: (item: T) => string) =>
  (one: T, other: T) => {
    const [first, second] = [text(one), text(other)];
    return first === second ? 0 : first < second ? -1 : 1;
  };
