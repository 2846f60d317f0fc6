const LENGTH = 8;

/** Where a text holds a piece of a secret, even where it was cut; in numbers, so that no report repeats the secret. */
export const piecesOf = (secret: string, text: string) =>
  Array.from({ length: Math.max(1, secret.length - LENGTH + 1) }, (_, at) => at).filter((at) =>
    text.includes(secret.slice(at, at + LENGTH)),
  );
