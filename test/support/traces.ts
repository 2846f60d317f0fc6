/**
 * A text has three forms in base64, by the place where it begins in a group of three bytes. The first and last characters
 * are left out, because they also depend on the bytes around the text.
 */
const inBase64 = (needle: Buffer, offset: number) => {
  const encoded = Buffer.concat([Buffer.alloc(offset), needle])
    .toString('base64')
    .replace(/=+$/, '');
  return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
};

const toBase64Url = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

export const asEscapes = (text: string) =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

export const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The forms in which a log may contain a secret. */
const formsOf = (secret: string): Record<string, string> => {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => [`base64 at ${offset}`, inBase64(bytes, offset)] as const);
  return {
    'as it is': secret,
    'in JSON': inJson(secret),
    'in JSON in JSON': inJson(inJson(secret)),
    'in escapes': asEscapes(secret),
    'in escapes in JSON': inJson(asEscapes(secret)),
    'in a URL': encodeURIComponent(secret),
    'in hexadecimal': bytes.toString('hex'),
    'in Latin-1': bytes.toString('latin1'),
    ...Object.fromEntries(base64),
    ...Object.fromEntries(base64.map(([name, text]) => [`${name} for URLs`, toBase64Url(text)])),
  };
};

/** The names of the forms in which a text contains a secret. So the message of a failed test does not have the secret. */
export const tracesOf = (secret: string, text: string): string[] => {
  const lower = text.toLowerCase();
  return Object.entries(formsOf(secret))
    .filter(([, form]) => lower.includes(form.toLowerCase()))
    .map(([name]) => name);
};
