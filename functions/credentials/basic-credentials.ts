export type BasicCredentials = { userName: string; password: string };

/** Some clients omit the padding of base64, and some write `basic` in lower case. */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** RFC 7617: the first colon ends the user name. A password may contain colons. */
export const parseBasic = (header: string): BasicCredentials | undefined => {
  const encoded = BASIC.exec(header)?.[1];
  if (!encoded) return undefined;
  const pair = decode(encoded);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 1) return undefined;
  return { userName: pair.slice(0, colon), password: pair.slice(colon + 1) };
};

const decode = (encoded: string) => {
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};
