/** A needle in base64 looks different by where it begins in a group of three; its first and last signs may be shared. */
const inBase64 = (needle: Buffer) =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), needle])
      .toString('base64')
      .replace(/=+$/, '');
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
  });

const asEscapes = (text: string) =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** The forms in which a text may have been written down. */
const formsOf = (secret: string) => {
  const bytes = Buffer.from(secret);
  const base64 = inBase64(bytes);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    asEscapes(secret),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('latin1'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
};

/** The forms of a secret that stand in a text. */
export const tracesOf = (secret: string, text: string): string[] => {
  const lower = text.toLowerCase();
  return [...new Set(formsOf(secret))].filter((form) => lower.includes(form.toLowerCase()));
};
