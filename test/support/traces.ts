/** A needle in base64 looks different by where it begins in a group of three; its first and last signs may be shared. */
const inBase64 = (needle: Buffer, offset: number) => {
  const encoded = Buffer.concat([Buffer.alloc(offset), needle])
    .toString('base64')
    .replace(/=+$/, '');
  return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
};

const forAddresses = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

export const asEscapes = (text: string) =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** The ways in which a text may have been written down. */
const formsOf = (secret: string): Record<string, string> => {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => [`base64 at ${offset}`, inBase64(bytes, offset)] as const);
  return {
    'as it is': secret,
    'in JSON': JSON.stringify(secret).slice(1, -1),
    'in escapes': asEscapes(secret),
    'in an address': encodeURIComponent(secret),
    'in hexadecimal': bytes.toString('hex'),
    'in Latin-1': bytes.toString('latin1'),
    ...Object.fromEntries(base64),
    ...Object.fromEntries(base64.map(([name, text]) => [`${name} for addresses`, forAddresses(text)])),
  };
};

/** The names of the encodings in which a text contains a secret. A failure report then never repeats the secret. */
export const tracesOf = (secret: string, text: string): string[] => {
  const lower = text.toLowerCase();
  return Object.entries(formsOf(secret))
    .filter(([, form]) => lower.includes(form.toLowerCase()))
    .map(([name]) => name);
};
