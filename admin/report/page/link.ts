const PREFIX = '#material=';

/** So that the history of a material can be linked to. */
export const hashOf = (code: string) => `${PREFIX}${encodeURIComponent(code)}`;

export const codeOf = (hash: string): string | undefined => {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(hash.slice(PREFIX.length));
  } catch {
    return undefined;
  }
};
