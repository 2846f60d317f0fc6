/** The one item that fits, so that a test never looks at the first of several. */
export const onlyMatch = <T>(items: readonly T[], fits: (item: T) => boolean, wanted = '') => {
  const [match, ...others] = items.filter(fits);
  if (match === undefined || others.length > 0) {
    throw new Error(
      `There are ${others.length + (match === undefined ? 0 : 1)} matches for ${wanted || fits}.`,
    );
  }
  return match;
};
