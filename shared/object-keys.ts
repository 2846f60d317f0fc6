export const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(record).filter((key): key is K => Object.hasOwn(record, key));

export const mapValues = <K extends string, T>(
  record: Readonly<Record<K, unknown>>,
  make: (key: K) => T,
): Record<K, T> => {
  const keys = keysOf(record);
  const made: Record<string, T> = Object.fromEntries(keys.map((key) => [key, make(key)]));
  if (!hasKeys(made, keys)) throw new Error('A key is missing.');
  return made;
};

const hasKeys = <K extends string, T>(made: Record<string, T>, keys: readonly K[]): made is Record<K, T> =>
  keys.every((key) => Object.hasOwn(made, key));
