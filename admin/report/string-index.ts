/** Texts that come again and again, each by its place in the list of all. */
export const stringIndex = () => {
  const places = new Map<string, number>();
  return {
    of: (text: string) => {
      const known = places.get(text);
      if (known !== undefined) return known;
      places.set(text, places.size);
      return places.size - 1;
    },
    all: () => [...places.keys()],
  };
};
